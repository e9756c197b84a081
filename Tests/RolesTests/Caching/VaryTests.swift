import LedgerMemory
import Pipeline
import PipelineTesting
import Roles
import Testing

/// Answers that servers choose by what a request says.
@Suite(.timeLimit(.minutes(10)))
struct VaryTests {
  private let cache = MemoryResultCache()
  private let web = CountedWeb()

  private func run(_ link: String, language: String? = nil) async throws -> Row {
    var draft = JobDraft(kind: .title, input: link)
    draft.reading.language = language
    var pipeline = TestPipeline()
    pipeline.caching = AnswerCaching(in: cache, for: CacheRule(answersMilliseconds: 3_600_000))
    return try #require(try await pipeline.run([draft], over: web.fetching).map(Row.init).first)
  }

  @Test(arguments: [
    ("Accept-Language", true), ("accept-encoding, User-Agent", true), ("Cookie", true),
    ("login/Accept", true),
    ("*", false), ("Accept,*", false), ("login/Cookie", false), ("login/accept,COOKIE", false),
    ("way/*", false),
    ("refresh/*", false), ("refresh/Accept", true),
  ])
  func `what a server chooses by more than a question tells is not kept`(path: String, isKept: Bool)
    async throws
  {
    let link = "http://a.test/varies/\(path)"
    #expect(try await run(link)["title"] != nil)
    #expect(try await run(link)["cached"] == (isKept ? "true" : nil))
  }

  @Test func `each language has answers of its own`() async throws {
    let link = "http://a.test/varies/Accept-Language"
    for language in ["de", "en", nil] {
      #expect(try await run(link, language: language)["cached"] == nil)
      #expect(try await run(link, language: language)["cached"] == "true")
    }
    #expect(
      web.headers == [[HeaderField("Accept-Language", "de")], [HeaderField("Accept-Language", "en")], []])
  }
}
