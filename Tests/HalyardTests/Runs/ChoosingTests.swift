import Foundation
import PipelineTesting
import Testing

/// Which links get jobs, which statuses count, and which rows are printed.
@Suite(.timeLimit(.minutes(10)))
struct ChoosingTests {
  private let site: TestSite
  private let directory: TemporaryDirectory

  init() throws {
    site = try TestSite()
    directory = try TemporaryDirectory()
  }

  private func run(_ words: String..., links paths: [String]) async throws -> Ended {
    let list = paths.map { "\(site.url($0))\n" }.joined()
    return try await Child(words + ["-", "--ordered"] + loopback, input: .text(list)).ended()
  }

  @Test func `an accepted status makes a title's row ok, with what the page says`() async throws {
    let links = ["/page/1", "/gone/2"]
    let strict = try await run("title", links: links)
    #expect(strict.status == 1)
    #expect(try strict.rows().map(\.outcome) == ["ok", "http_status"])
    let lenient = try await run("title", "--accept", "200..=299,404", links: links)
    #expect(lenient.status == 0)
    #expect(lenient.messages == "")
    let row = try #require(try lenient.rows().last)
    #expect(
      [row["status"], row["http_status"], row["title"], row["error"]] == ["ok", "404", "missing", nil])
  }

  @Test func `a status that is not accepted fails a row that is ok otherwise`() async throws {
    let links = ["/page/1", "/gone/2"]
    #expect(try await run("unfurl", links: links).status == 0)
    let ended = try await run("unfurl", "--accept", "200..=299", "--failures-only", links: links)
    #expect(ended.status == 1)
    let rows = try ended.rows()
    #expect(rows.map(\.outcome) == ["http_status"])
    #expect(
      rows.first?["error.message"]
        == "fetch \(site.url("/gone/2")): the server answered 404, which --accept does not list")
    #expect(ended.messages.contains("2 rows in "))
    #expect(ended.messages.hasSuffix(": 1 ok, failed 1 (http_status 1)\n"))
  }

  @Test func `a title of JSON is ok without a title, unless only HTML is wanted`() async throws {
    let ended = try await run("title", links: ["/json"])
    #expect(ended.status == 0)
    let row = try #require(try ended.rows().first)
    #expect([row["status"], row["title"], row["content_type"]] == ["ok", nil, "application/json"])
    let strict = try await run("title", "--html-only", links: ["/json", "/page/1"])
    #expect(strict.status == 1)
    #expect(try strict.rows().map(\.outcome) == ["not_html", "ok"])
  }

  @Test func `what is left out is not fetched, has no row, and is counted in the summary`() async throws {
    let file = directory.file("ignored")
    try Data("# drafts\n\n/page/4$\n".utf8).write(to: URL(filePath: file))
    let ended = try await run(
      "unfurl", "--include", "/page/", "--exclude", "/page/[23]", "--exclude-file", file, "--dedupe",
      links: ["/page/1", "/page/2", "/page/3", "/page/4", "/page/5", "/gone/6", "/page/1"])
    #expect(ended.status == 0)
    #expect(try ended.rows().map { $0["input"] } == [site.url("/page/1"), site.url("/page/5")])
    #expect(ended.messages.hasSuffix(": 2 ok; left out 4 excluded, 1 duplicate\n"))
    #expect(site.requests.count == 2)
  }

  @Test func `failed jobs of a ledger's file are retried by the next run of their command`() async throws {
    let ledger = directory.file("jobs.ledger")
    func runAgain() async throws -> Ended {
      try await run("title", "--ledger", ledger, links: ["/page/1", "/late/2"])
    }
    #expect(try await runAgain().status == 1)
    #expect(try await runAgain().status == 1)
    #expect(site.requests.count == 2)
    let other = try await Child(["requeue", "--ledger", ledger, "--failed-kind", "dns,timeout"]).ended()
    #expect(other.output == "0 jobs requeued\n")
    let requeue = try await Child(["requeue", "--ledger", ledger, "--failed-kind", "http_status"]).ended()
    #expect([requeue.output, requeue.messages] == ["1 job requeued\n", ""])
    let again = try await runAgain()
    #expect(again.status == 0)
    #expect(try again.rows().map(\.outcome) == ["ok", "ok"])
    #expect(site.requests.count == 3)
    #expect(try await Child(["requeue", "--ledger", ledger]).ended().output == "0 jobs requeued\n")
    for words in [["requeue", "monday"], ["ledger", "export", "--batch", "monday"]] {
      let unknown = try await Child(words + ["--ledger", ledger]).ended()
      #expect(unknown.status == 65)
      #expect(
        unknown.messages
          == "halyard: \(ledger): it has no batch of this id; the rows of a run have it as 'batch'\n")
    }
  }

  @Test func `a ledger that is not there is not made by requeueing`() async throws {
    let ledger = directory.file("none.ledger")
    let ended = try await Child(["requeue", "--ledger", ledger]).ended()
    #expect(ended.status == 65)
    #expect(ended.messages == "halyard: \(ledger): there is no such ledger\n")
    #expect(!FileManager.default.fileExists(atPath: ledger))
  }
}
