import Foundation
import Testing

/// Lists from standard input, read as they come.
@Suite(.timeLimit(.minutes(10)))
struct ListTests {
  @Test func `rows come while standard input is still open`() async throws {
    let site = try TestSite()
    let child = try Child(["unfurl", "-"] + loopback, input: .open("\(site.url("/page/1"))\n"))
    try await child.hasWritten(lines: 1)
    child.closeInput()
    let ended = try await child.ended()
    #expect(ended.status == 0)
    #expect(try ended.rows().map(\.outcome) == ["ok"])
  }

  /// With HALYARD_LONG=1 ten times as many, which takes minutes in a debug build.
  @Test(.timeLimit(.minutes(10)))
  func `a long list has one row per line and needs no more memory than a short one`() async throws {
    let site = try TestSite()
    let (short, long) = (2_000, ProcessInfo.processInfo.environment["HALYARD_LONG"] == "1" ? 200_000 : 20_000)
    func lines(_ range: Range<Int>) -> String { range.map { "\(site.url("/page/\($0)"))\n" }.joined() }
    let child = try Child(
      ["unfurl", "-", "--per-host", "64", "--fields", "ordinal,status,input"] + loopback,
      input: .open(lines(0..<short)))
    try await child.hasWritten(lines: short)
    let before = try child.peakMemory()
    try child.send(lines(short..<long))
    try await child.hasWritten(lines: long, within: 280)
    let after = try child.peakMemory()
    child.closeInput()
    let ended = try await child.ended()
    #expect(ended.status == 0)
    #expect(after < 150 << 10)
    #expect(after - before < 40 << 10, "\(before) KiB, then \(after) KiB")
    try check(ended, count: long, of: site)
  }

  private func check(_ ended: Ended, count: Int, of site: TestSite) throws {
    let rows = try ended.rows()
    try #require(rows.count == count)
    #expect(Set(rows.map(\.ordinal)) == Set(0..<count))
    #expect(rows.allSatisfy { $0.outcome == "ok" && $0["input"] == site.url("/page/\($0.ordinal)") })
  }
}
