import Testing

/// Ctrl-C and SIGTERM: every job that was read has its row, whatever the moment.
@Suite(.timeLimit(.minutes(10)))
struct InterruptionTests {
  private static let underWay = 8
  private static let count = 100

  /// A list of links that the site holds; the program is on the first of them when this returns.
  private func childOnHeldLinks(of site: TestSite, _ more: String...) async throws -> Child {
    let list = (0..<Self.count).map { "\(site.url("/held/\($0)"))\n" }.joined()
    let child = try Child(
      ["unfurl", "-", "--per-host", "\(Self.underWay)", "--timeout", "120s"] + more + loopback,
      input: .text(list))
    try await child.awaits(site.requests, Self.underWay, "requests")
    return child
  }

  private func check(_ rows: [Row], ok: Int, _ location: SourceLocation = #_sourceLocation) {
    #expect(rows.map(\.ordinal).sorted() == Array(0..<Self.count), sourceLocation: location)
    #expect(Set(rows.map { $0["id"] }).count == Self.count, sourceLocation: location)
    #expect(rows.count { $0.outcome == "ok" } == ok, sourceLocation: location)
    #expect(rows.count { $0.outcome == "cancelled" } == Self.count - ok, sourceLocation: location)
  }

  @Test func `Ctrl-C finishes what is under way and cancels the rest`() async throws {
    let site = try TestSite()
    let child = try await childOnHeldLinks(of: site)
    child.interrupt()
    try await child.hasWritten(lines: Self.count - Self.underWay)
    site.release()
    let ended = try await child.ended()
    #expect(ended.status == 130)
    #expect(ended.messages == "halyard: finishing what is under way; once more to stop at once\n")
    check(try ended.rows(), ok: Self.underWay)
  }

  @Test func `SIGTERM does the same with an exit code of its own`() async throws {
    let site = try TestSite()
    let child = try await childOnHeldLinks(of: site)
    child.terminate()
    try await child.hasWritten(lines: Self.count - Self.underWay)
    site.release()
    let ended = try await child.ended()
    #expect(ended.status == 143)
    check(try ended.rows(), ok: Self.underWay)
  }

  @Test func `a second Ctrl-C cancels what is under way too`() async throws {
    let site = try TestSite()
    let child = try await childOnHeldLinks(of: site)
    child.interrupt()
    try await child.hasWritten(lines: Self.count - Self.underWay)
    child.interrupt()
    let ended = try await child.ended()
    #expect(ended.status == 130)
    check(try ended.rows(), ok: 0)
  }

  @Test func `rows stay in order when the run is cut short`() async throws {
    let site = try TestSite()
    let child = try await childOnHeldLinks(of: site, "--ordered")
    child.interrupt()
    try await child.awaits(child.messages.lines, 1, "message")
    child.interrupt()
    let ended = try await child.ended()
    #expect(ended.status == 130)
    #expect(try ended.rows().map(\.ordinal) == Array(0..<Self.count))
  }

  @Test(arguments: ["", "http://127.0.0.1/half a li"])
  func `an input that stays open does not keep the program`(rest: String) async throws {
    let site = try TestSite()
    let child = try Child(["unfurl", "-"] + loopback, input: .open("\(site.url("/page/1"))\n\(rest)"))
    try await child.hasWritten(lines: 1)
    child.interrupt()
    let ended = try await child.ended()
    #expect(ended.status == 130)
    #expect(try ended.rows().count == 1)
  }

  @Test func `a third signal ends the program although nobody reads its rows`() async throws {
    let site = try TestSite()
    let child = try await childWithoutReader(of: site)
    child.terminate()
    child.interrupt()
    let ended = try await child.ended()
    #expect([130, 143].contains(ended.status))
    #expect(!ended.messages.contains("the rows are not being read"))
  }

  @Test func `a second signal ends the program in a while although nobody reads its rows`() async throws {
    let site = try TestSite()
    let child = try await childWithoutReader(of: site)
    child.interrupt()
    let ended = try await child.ended()
    #expect(ended.status == 130)
    #expect(ended.messages.hasSuffix("halyard: the rows are not being read; ended without the last ones\n"))
  }

  /// A program that was interrupted once and has more rows than the pipe takes.
  private func childWithoutReader(of site: TestSite) async throws -> Child {
    let list = (0..<1_000).map { "\(site.url("/page/\($0)"))\n" }.joined()
    let child = try Child(
      ["unfurl", "-", "--per-host", "64"] + loopback, input: .text(list),
      redirection: .init(lineLimit: 0))
    try await child.awaits(site.requests, 256, "requests")
    child.interrupt()
    try await child.awaits(child.messages.lines, 1, "message")
    return child
  }

  @Test func `a message takes the place of the progress line`() async throws {
    let site = try TestSite()
    let child = try Child(
      ["unfurl", site.url("/page/1"), site.url("/held/2"), "--progress", "always", "--timeout", "120s"]
        + loopback)
    try await child.awaits(child.messages.pieces, 1, "progress line")
    try await child.awaits(site.requests, 2, "requests")
    child.interrupt()
    try await child.awaits(child.messages.lines, 1, "message")
    site.release()
    #expect(try await child.ended().messages.contains("\r\u{1B}[Khalyard: finishing what is under way"))
  }

  @Test func `a signal that the parent ignores stays ignored`() async throws {
    let site = try TestSite()
    let child = try Child(
      ["unfurl", site.url("/held/1"), "--timeout", "120s"] + loopback,
      redirection: .init(prelude: "trap '' INT"))
    try await child.awaits(site.requests, 1, "request")
    child.interrupt()
    site.release()
    let ended = try await child.ended()
    #expect(ended.status == 0)
    #expect(ended.messages.isEmpty)
  }

  @Test func `an interrupted demo has found no fault`() async throws {
    let child = try Child(["demo", "--format", "jsonl"])
    try await child.hasWritten(lines: 1)
    child.interrupt()
    let ended = try await child.ended()
    // A test that is slow to send the signal finds the demo at its end.
    #expect([130, 0].contains(ended.status))
    #expect(!ended.messages.contains("should end as"))
  }
}
