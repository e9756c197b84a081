import Foundation
import PipelineTesting
import Testing

/// Many hostile servers at once, beside one that behaves.
///
/// There are 200 of them, which fill a small machine, so `scripts/test` runs this by itself; HALYARD_HOSTILE=1000 makes it as many, and prints what it took (`scripts/bench hostile`).
@Suite(.timeLimit(.minutes(2)))
struct HostileServersTests {
  private static let wanted = ProcessInfo.processInfo.environment["HALYARD_HOSTILE"].flatMap { Int($0) }
  private static let normalJobs = 50
  private static let timeoutMilliseconds = 5_000

  @Test func `hostile servers cost neither memory nor time, and spoil no other job`() async throws {
    let site = try TestSite()
    let foes = Foe.all
    defer { for foe in foes { foe.server?.stop() } }
    let count = Self.wanted ?? 200
    let links =
      (0..<count).map { (foes[$0 % foes.count], $0) }.map {
        #"{"url":"\#($0.url)\#($1)","ref":"\#($0.name)"}"#
      }
      + (0..<Self.normalJobs).map { #"{"url":"\#(site.url("/wait/20/\($0)"))","ref":"normal"}"# }
    let child = try Child(
      [
        "title", "-", "--input-format", "jsonl", "--retries", "0", "--concurrency", "\(count + 100)",
        "--per-host", "\(count)", "--timeout", "\(Self.timeoutMilliseconds)ms",
      ] + loopback, input: .open(links.joined(separator: "\n") + "\n"))
    // All rows are out, and the program is still there to be measured.
    try await child.hasWritten(lines: links.count)
    let peak = try child.peakMemory() / 1_024
    child.closeInput()
    let rows = try await child.ended().rows()
    #expect(rows.count == links.count)
    for foe in foes { check(foe, rows.filter { $0["ref"] == foe.name }) }
    let slowest = try #require(rows.map(\.milliseconds).max())
    let normal = rows.filter { $0["ref"] == "normal" }.map(\.milliseconds).sorted()
    #expect(rows.filter { $0["ref"] == "normal" }.allSatisfy { $0.outcome == "ok" })
    #expect(normal.count == Self.normalJobs)
    #expect(slowest < Self.timeoutMilliseconds + 1_000)
    #expect(normal.last ?? .max < Self.timeoutMilliseconds)
    #expect(peak < 200)
    guard Self.wanted != nil else { return }
    print(
      "\(count) hostile servers: \(peak) MB at most, slowest end after \(slowest) ms of \(Self.timeoutMilliseconds);"
        + " \(normal.count) other pages: median \(normal[normal.count / 2]) ms, slowest \(normal.last ?? 0) ms"
    )
  }

  private func check(_ foe: Foe, _ rows: [Row]) {
    #expect(!rows.isEmpty, "\(foe.name)")
    for row in rows {
      #expect(row.outcome == foe.outcome, "\(foe.name): \(row["error.message"] ?? "")")
      #expect(row["http_status"] == foe.status, "\(foe.name)")
    }
  }
}

extension Row {
  fileprivate var milliseconds: Int { self["ms"].flatMap { Int($0) } ?? .max }
}
