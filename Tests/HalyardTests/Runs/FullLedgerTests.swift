import Foundation
import PipelineTesting
import Testing

/// A ledger that takes no more: the run waits for room, and does not wait for ever.
@Suite(.timeLimit(.minutes(2)))
struct FullLedgerTests {
  /// Files of at most 512 KiB, told as an error: the nearest thing to a full disk that needs no disk.
  private static let smallFiles = Child.Redirection(prelude: "trap '' XFSZ; ulimit -f 1024")

  private let site: TestSite
  private let directory: TemporaryDirectory

  init() throws {
    site = try TestSite()
    directory = try TemporaryDirectory()
  }

  private func start(wait: String) throws -> Child {
    let list = (0..<3_000).map { "\(site.url("/page/\($0)"))\n" }.joined()
    return try Child(
      ["title", "-", "--ledger", directory.file("jobs.db"), "--wait", wait] + loopback, input: .text(list),
      redirection: Self.smallFiles)
  }

  @Test func `one Ctrl-C ends a run whose ledger is full`() async throws {
    let child = try start(wait: "1h")
    try await child.awaits(child.messages.lines, 1, "message")
    #expect(child.messages.text.contains("commit failed, trying again"))
    child.interrupt()
    let ended = try await child.ended()
    #expect(ended.status == 130)
    #expect(ended.messages.hasSuffix("halyard: interrupted; the same command goes on from here\n"))
  }

  @Test func `without a terminal a run gives a full ledger up after the time of --wait`() async throws {
    let ended = try await start(wait: "1500ms").ended()
    #expect(ended.status == 69)
    let last = try #require(ended.messages.split(separator: "\n").last)
    #expect(last.hasPrefix("halyard: write ledger \(directory.file("jobs.db")): "))
  }
}
