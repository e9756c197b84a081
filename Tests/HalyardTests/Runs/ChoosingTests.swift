import Foundation
import PipelineTesting
import Testing

/// Which links of a list get jobs.
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
}
