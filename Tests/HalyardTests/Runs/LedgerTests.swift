import Foundation
import PipelineTesting
import Posix
import Testing

/// `--ledger`: the same command again goes on where the last one stopped.
@Suite(.timeLimit(.minutes(10)))
struct LedgerTests {
  private static let underWay = 8
  private static let count = 60

  private let site: TestSite
  private let directory: TemporaryDirectory

  init() throws {
    site = try TestSite()
    directory = try TemporaryDirectory()
  }

  private var ledger: [String] { ["--ledger", directory.file("jobs.ledger")] }

  /// Links that the site holds until it is told to release them.
  private var list: String { (0..<Self.count).map { "\(site.url("/held/\($0)"))\n" }.joined() }

  private func start(_ list: String? = nil, _ more: String...) throws -> Child {
    try Child(
      ["title", "-", "--per-host", "\(Self.underWay)", "--timeout", "120s"] + ledger + more + loopback,
      input: .text(list ?? self.list))
  }

  private func startOnHeldLinks() async throws -> Child {
    let child = try start()
    try await child.awaits(site.requests, Self.underWay, "requests")
    return child
  }

  private func check(_ rows: [Row], _ location: SourceLocation = #_sourceLocation) {
    #expect(rows.map(\.ordinal).sorted() == Array(0..<Self.count), sourceLocation: location)
    #expect(rows.allSatisfy { $0.outcome == "ok" }, sourceLocation: location)
    #expect(Set(rows.map { $0["title"] }).count == Self.count, sourceLocation: location)
  }

  @Test func `after Ctrl-C the same command goes on, and no link is fetched twice`() async throws {
    let child = try await startOnHeldLinks()
    child.interrupt()
    try await child.awaits(child.messages.lines, 1, "message")
    site.release()
    let first = try await child.ended()
    #expect(first.status == 130)
    #expect(first.messages.hasSuffix("halyard: interrupted; the same command goes on from here\n"))
    let done = try first.rows()
    #expect(done.count >= Self.underWay)
    #expect(done.count < Self.count)
    #expect(done.count == site.requests.count)

    let second = try await start().ended()
    #expect(second.status == 0)
    check(try second.rows())
    #expect(site.requests.count == Self.count)

    let third = try await start(nil, "--ordered").ended()
    #expect(third.status == 0)
    #expect(try third.rows().map(\.ordinal) == Array(0..<Self.count))
    #expect(site.requests.count == Self.count)
  }

  @Test func `after a second Ctrl-C only what was under way is fetched again`() async throws {
    let child = try await startOnHeldLinks()
    child.interrupt()
    try await child.awaits(child.messages.lines, 1, "message")
    child.interrupt()
    #expect(try await child.ended().status == 130)
    site.release()
    check(try await start().ended().rows())
    #expect(site.requests.count == Self.count + Self.underWay)
  }

  @Test func `after a kill only what was under way is fetched again`() async throws {
    let child = try await startOnHeldLinks()
    child.kill()
    #expect(try await child.ended().status == 137)
    site.release()
    let rows = try await start().ended().rows()
    check(rows)
    #expect(rows.allSatisfy { $0["attempts"] == "1" })
    #expect(site.requests.count == Self.count + Self.underWay)
  }

  @Test func `a list that has grown goes on behind its old end`() async throws {
    site.release()
    let short = list.split(separator: "\n").prefix(20).map { "\($0)\n" }.joined()
    #expect(try await start(short).ended().rows().count == 20)
    check(try await start().ended().rows())
    #expect(site.requests.count == Self.count)
  }

  @Test func `failures are kept as well`() async throws {
    let first = try await start("no link\n").ended()
    let second = try await start("no link\n").ended()
    #expect([first.status, second.status] == [1, 1])
    #expect(second.output == first.output)
  }

  @Test(arguments: [
    (
      "a\nB\nc\n", 1,
      "line 2 is 'http://B.test/', and was 'http://b.test/' when this run began; put the old link back"
    ),
    (
      "a\n\nx\n", 1,
      "line 3 is 'http://x.test/', and was 'http://b.test/' when this run began; put the old link back"
    ),
    ("a\n", 1, "it has fewer links than when this run began, 1 in all; put the others back"),
  ])
  func `an input that has changed is refused with its line`(
    changed: String, rows: Int, problem: String
  ) async throws {
    func links(_ names: String) -> String {
      names.split(separator: "\n", omittingEmptySubsequences: false)
        .map { $0.isEmpty ? "\n" : "http://\($0).test/\n" }.joined()
    }
    let ledger = directory.file("jobs.ledger")
    // Nothing listens on these: refused addresses end at once.
    _ = try await start(links("a\nb\nc\n"), "--retries", "0", "--deadline", "1ms").ended()
    let again = try await start(links(changed)).ended()
    #expect(again.status == 65)
    #expect(
      again.messages
        == "halyard: standard input: \(problem), or start anew with another --ledger than \(ledger)\n")
    #expect(try again.rows().count <= rows)
  }

  @Test func `other columns of the same links are refused too`() async throws {
    let file = directory.file("links.csv")
    func run(_ id: String) async throws -> Ended {
      try Data("url,id\n\(site.url("/page/1")),\(id)\n".utf8).write(to: URL(fileURLWithPath: file))
      return try await Child(
        ["title", "--input", file, "--column", "url", "--keep", "id"] + ledger + loopback
      ).ended()
    }
    #expect(try await run("1").rows().map { $0["kept.id"] } == ["1"])
    let again = try await run("2")
    #expect(again.status == 65)
    #expect(again.messages.contains("line 2 has other columns or members than when this run began"))
    #expect(again.output.isEmpty)
  }

  @Test func `another run in the same file neither answers nor goes on with the first`() async throws {
    let child = try await startOnHeldLinks()
    child.interrupt()
    try await child.awaits(child.messages.lines, 1, "message")
    child.interrupt()
    _ = try await child.ended()
    let before = site.requests.count
    let other = try await Child(["unfurl", site.url("/page/1")] + ledger + loopback).ended()
    #expect(other.status == 0)
    #expect(try other.rows().map { $0["kind"] } == ["unfurl"])
    #expect(site.requests.count == before + 1)
    site.release()
    check(try await start().ended().rows())
  }

  @Test func `a ledger in use is refused, and the output file is left alone`() async throws {
    let output = directory.file("out.jsonl")
    try Data("old\n".utf8).write(to: URL(fileURLWithPath: output))
    let child = try await startOnHeldLinks()
    let second = try await start(nil, "-o", output).ended()
    #expect(second.status == 69)
    #expect(
      second.messages
        == "halyard: open ledger \(directory.file("jobs.ledger")): another aggregator or command is using it; wait until that has ended, or name another file\n"
    )
    #expect(try String(contentsOfFile: output, encoding: .utf8) == "old\n")
    site.release()
    check(try await child.ended().rows())
  }

  @Test func `a ledger is neither the file of the rows nor that of the links`() async throws {
    let path = directory.file("both")
    let link = site.url("/page/1")
    let fresh = try await halyard("title", link, "--ledger", path, "-o", path)
    #expect(fresh.status == 64)
    #expect(fresh.messages.contains("the rows would go into this file too"))
    #expect(try await Child(["title", link, "--ledger", path] + loopback).ended().status == 0)
    let twin = directory.file("twin")
    try FileManager.default.createSymbolicLink(atPath: twin, withDestinationPath: path)
    #expect(try await halyard("title", link, "--ledger", path, "-o", twin).status == 64)
    let links = try await halyard("title", "--input", twin, "--ledger", path)
    #expect(links.status == 64)
    #expect(links.messages.contains("the links come from this file"))
    #expect(try await halyard("title", link, "--ledger", "").status == 64)
    let again = try await Child(["title", link, "--ledger", path] + loopback).ended()
    #expect(try again.rows().count == 1)
    #expect(site.requests.count == 1)
  }
}
