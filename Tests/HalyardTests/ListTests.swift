import Testing

/// Lists from standard input, read as they come.
@Suite(.timeLimit(.minutes(1)))
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
}
