import Testing

/// Limits of time, hops and attempts.
@Suite(.timeLimit(.minutes(10)))
struct LimitTests {
  struct Limit: CustomTestStringConvertible, Sendable {
    var path: String
    var options: [String]
    var outcome: String
    var attempts = "1"

    var testDescription: String { ([path] + options).joined(separator: " ") }
  }

  @Test(arguments: [
    Limit(path: "/mute/1", options: ["--timeout", "300ms", "--retries", "0"], outcome: "timeout"),
    Limit(path: "/mute/1", options: ["--deadline", "300ms"], outcome: "deadline"),
    Limit(path: "/hops/4", options: ["--max-hops", "3"], outcome: "too_many_redirects"),
    Limit(path: "/hops/3", options: ["--max-hops", "3"], outcome: "ok"),
    Limit(path: "/hops/21", options: [], outcome: "too_many_redirects"),
    Limit(path: "/flaky/1", options: ["--retries", "0"], outcome: "protocol"),
    Limit(path: "/flaky/1", options: ["--retries", "1"], outcome: "ok", attempts: "2"),
  ])
  func `a limit ends a job with its own kind of failure`(limit: Limit) async throws {
    let site = try TestSite()
    let ended = try await Child(["unfurl", site.url(limit.path)] + limit.options + loopback).ended()
    #expect(ended.status == (limit.outcome == "ok" ? 0 : 1))
    let row = try #require(try ended.rows().first)
    #expect(row.outcome == limit.outcome)
    #expect(row["attempts"] == limit.attempts)
  }

  @Test(arguments: [(64, 10), (32, 5)])
  func `few open files mean fewer transfers at a time, not failures`(_ files: Int, _ transfers: Int)
    async throws
  {
    let site = try TestSite()
    let list = (0..<100).map { "\(site.url("/wait/50/\($0)"))\n" }.joined()
    let child = try Child(
      ["unfurl", "-", "--per-host", "200", "--retries", "0"] + loopback, input: .text(list),
      redirection: .init(prelude: "ulimit -n \(files)"))
    let ended = try await child.ended()
    #expect(ended.status == 0)
    #expect(
      ended.messages
        == "halyard: \(transfers) transfers at a time, not 256: only \(files) files may be open (ulimit -n)\n"
    )
    #expect(try ended.rows().count == 100)
  }

  @Test(arguments: [
    ("title", 8, 32), ("title", 16, 32), ("title", 31, 32), ("up", 20, 64), ("fetcher", 63, 64),
  ])
  func `too few open files are refused`(_ command: String, _ files: Int, _ needed: Int) async throws {
    let words = command == "title" ? ["title", "http://127.0.0.1:9/"] + loopback : [command]
    let child = try Child(words, redirection: .init(prelude: "ulimit -n \(files)"))
    let ended = try await child.ended()
    #expect(ended.status == 69)
    #expect(
      ended.messages == """
        halyard: only \(files) files may be open, and at least \(needed) are needed
        try:   ulimit -n 1024   (root can, where the shell refuses)

        """)
  }

  @Test func `a time limit holds`() async throws {
    let site = try TestSite()
    let ended = try await Child(
      ["unfurl", site.url("/mute/1"), "--timeout", "300ms", "--retries", "0"] + loopback
    ).ended()
    let milliseconds = try #require(try ended.rows().first?["ms"].flatMap { Int($0) })
    #expect((300..<30_000).contains(milliseconds))
  }
}
