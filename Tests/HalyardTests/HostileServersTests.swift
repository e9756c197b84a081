import Foundation
import PipelineTesting
import Testing

/// Many hostile servers at once, beside one that behaves.
///
/// There are 200 of them, which fill a small machine, so `scripts/test` runs this by itself; HALYARD_HOSTILE=1000 makes it as many, and prints what it took (`scripts/bench hostile`).
@Suite(.timeLimit(.minutes(10)))
struct HostileServersTests {
  private static let wanted = ProcessInfo.processInfo.environment["HALYARD_HOSTILE"].flatMap { Int($0) }
  private static let normalJobs = 50
  /// All bombs together take two seconds of a processor; a machine may be busy, or four times slower.
  private static let timeoutMilliseconds = 10_000

  @Test func `hostile servers cost neither memory nor time, and spoil no other job`() async throws {
    let site = try TestSite()
    let attackers = HostileServer.all
    defer { for attacker in attackers { attacker.server?.stop() } }
    let count = Self.wanted ?? 200
    let hostile = (0..<count).map { (attackers[$0 % attackers.count], $0) }.map {
      #"{"url":"\#($0.url)\#($1)","ref":"\#($0.name)"}"#
    }
    let normal = (0..<Self.normalJobs).map { #"{"url":"\#(site.url("/wait/20/\($0)"))","ref":"normal"}"# }
    let (rows, peak) = try await Self.run(hostile + normal)
    #expect(rows.count == count + Self.normalJobs)
    for attacker in attackers { check(attacker, rows.filter { $0["ref"] == attacker.name }) }
    let slowest = try #require(rows.map(\.milliseconds).max())
    let others = rows.filter { $0["ref"] == "normal" }
    #expect(others.count == Self.normalJobs)
    #expect(others.allSatisfy { $0.outcome == "ok" })
    #expect(slowest < Self.timeoutMilliseconds + 1_000)
    #expect(others.spread.slowest < Self.timeoutMilliseconds)
    #expect(peak < 200)
    guard Self.wanted != nil else { return }
    print(
      "\(count) hostile servers: \(peak) MB at most, slowest end after \(slowest) ms of \(Self.timeoutMilliseconds);"
        + " \(others.count) other pages: \(others.spread)")
    let friends = attackers.map { _ in RawServer(Self.friend) }
    defer { for friend in friends { friend.stop() } }
    let friendly = (0..<count).map { #"{"url":"\#(friends[$0 % friends.count].url)\#($0)","ref":"friend"}"# }
    let beside = try await Self.run(friendly + normal).rows.filter { $0["ref"] == "normal" }
    print(
      "0 hostile servers: \(count) servers of small pages instead; \(beside.count) other pages: \(beside.spread)"
    )
  }

  private static func run(_ links: [String]) async throws -> (rows: [Row], peak: Int) {
    let child = try Child(
      [
        "title", "-", "--input-format", "jsonl", "--retries", "0", "--concurrency", "\(links.count + 50)",
        "--per-host", "\(links.count)", "--timeout", "\(timeoutMilliseconds)ms",
      ] + loopback, input: .open(links.joined(separator: "\n") + "\n"))
    // All rows are out, and the program is still there to be measured.
    try await child.hasWritten(lines: links.count)
    let peak = try child.peakMemory() / 1_024
    child.closeInput()
    return (try await child.ended().rows(), peak)
  }

  private static func friend(_ peer: RawPeer) {
    guard peer.readRequest() != nil else { return }
    peer.send("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 20\r\n\r\n<title>Well.</title>")
  }

  private func check(_ attacker: HostileServer, _ rows: [Row]) {
    #expect(!rows.isEmpty, "\(attacker.name)")
    for row in rows {
      #expect(row.outcome == attacker.outcome, "\(attacker.name): \(row["error.message"] ?? "")")
      #expect(row["http_status"] == attacker.status, "\(attacker.name)")
    }
  }
}

/// How long jobs took.
private struct Spread: CustomStringConvertible {
  let median: Int
  let slowest: Int
  var description: String { "median \(median) ms, slowest \(slowest) ms" }
}

extension [Row] {
  fileprivate var spread: Spread {
    let sorted = map(\.milliseconds).sorted()
    return Spread(median: sorted.isEmpty ? 0 : sorted[count / 2], slowest: sorted.last ?? .max)
  }
}

extension Row {
  fileprivate var milliseconds: Int { self["ms"].flatMap { Int($0) } ?? .max }
}
