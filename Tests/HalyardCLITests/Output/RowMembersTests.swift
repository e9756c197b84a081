import JSONQuery
import LedgerMemory
import Pipeline
import PipelineTesting
import Roles
import Testing

@testable import HalyardCLI

/// What rows have, and what `--fields` takes, are the same.
@Suite(.timeLimit(.minutes(10)))
struct RowMembersTests {
  /// All that a page can say of itself.
  private static let page = """
    <html lang=en><title>T</title><link rel=canonical href=/c><link rel=icon href=/i>
    <link rel=alternate type=application/rss+xml href=/feed>
    <meta property=og:title content=O><meta property=og:description content=D><meta property=og:image content=/p>
    <meta property=og:image:width content=9><meta property=og:image:height content=9>
    <meta property=og:image:type content=image/png><meta property=og:image:alt content=I>
    <meta property=og:site_name content=S><meta property=og:type content=article>
    <link rel=amphtml href=/amp><link rel=alternate type=application/json+oembed href=/o>
    <meta property=og:image content=/q><meta name=theme-color content=red><meta name=robots content=all>
    <meta property=article:modified_time content=2021>
    <meta name=author content=A><meta property=article:published_time content=2020>
    """

  private static let embed =
    #"{"type":"photo","title":"T","author_name":"A","author_url":"/a","provider_name":"P","provider_url":"/","url":"/p","#
    + #""thumbnail_url":"/t","thumbnail_width":1,"thumbnail_height":1,"width":2,"height":2,"html":"<p>"}"#

  private static let wishes: [JobDraft] = ["http://a.test/", "http://b.test/"].map { link in
    var draft = JobDraft(kind: .title, input: link)
    draft.reading.wantsEmbed = true
    return draft
  }

  private static let drafts =
    wishes + [
      JobDraft(kind: .title, input: "http://a.test/", ref: "r", kept: [KeptColumn("id", "7")]),
      JobDraft(kind: .decode, input: "http://a.test/json"),
      JobDraft(kind: .echo, input: nil),
      JobDraft(kind: .title, input: "no link"),
      JobDraft(kind: .title, input: "http://a.test/data.json"),
      JobDraft(kind: .title, input: "http://here.test/"),
      JobDraft(kind: .title, input: "http://dead.test/1"),
      JobDraft(kind: .title, input: "http://dead.test/2"),
      run,
      placed,
    ]

  private static var placed: JobDraft {
    var draft = JobDraft(kind: .title, input: "no link")
    draft.origin = LinkOrigin(file: "a.md", line: 1, column: 2, text: "t")
    return draft
  }

  private static var run: JobDraft {
    var draft = JobDraft(kind: .run, input: "mine.json")
    draft.reading.recipe = #"{"steps":{"all":{"call":"http://a.test/json"}},"output":"$all"}"#
    return draft
  }

  private static let fetching = ScriptedFetching { request in
    switch request.url {
    case "http://a.test/": return .success(.redirect(to: "/page"))
    case "http://b.test/": return .success(.page("<link rel=alternate type=text/xml+oembed href=/o>"))
    case "http://a.test/o": return .success(.json(embed))
    case "http://dead.test/1":
      return .failure(Failure(.connect, at: .connect, "fetch \(request.url): refused"))
    case "http://here.test/":
      var failure = Failure(.blockedAddress, at: .address, "fetch \(request.url): refused")
      failure.refusedAddress = "127.0.0.1:80"
      return .failure(failure)
    case "http://a.test/data.json": return .success(.json("{}"))
    case "http://a.test/json":
      let isKnown = request.headers.contains { $0.name.lowercased() == "if-none-match" }
      var response = isKnown ? FetchResponse(status: 304) : .json(#"{"a":1,"a":2}"#)
      response.headers.append(HeaderField("ETag", "\"1\""))
      return .success(response)
    default:
      var response = FetchResponse.page(page)
      response.headers.append(HeaderField("Refresh", "60; url=/later"))
      response.truncated = true
      return .success(response)
    }
  }

  @Test func `--fields knows every member of every row, and no other`() async throws {
    let cache = MemoryResultCache()
    var pipeline = TestPipeline()
    (pipeline.settings.aggregator.perHost, pipeline.settings.aggregator.givesUpAfter) = (1, 1)
    pipeline.caching = AnswerCaching(in: cache, for: CacheRule(answersMilliseconds: 60_000))
    var rows = try await pipeline.run(Self.drafts, over: Self.fetching)
    pipeline.caching?.rule.answersMilliseconds = 0
    rows += try await pipeline.run([Self.drafts[3]], over: Self.fetching)
    #expect(rows.count == Self.drafts.count + 1)
    var found: Set<String> = []
    for row in rows { collect(try JSONDocument(parsing: row.json).root, into: &found) }
    #expect(found.subtracting(RowField.members).sorted() == [])
    #expect(Set(RowField.members).subtracting(found).sorted() == [])
  }

  /// What is in a value, a step or a kept column is named by the user.
  private func collect(_ value: JSONValue, under prefix: String = "", into found: inout Set<String>) {
    for member in value.members {
      found.insert(prefix + member.key)
      guard !["value", "kept", "steps"].contains(member.key), member.value.kind == .object else { continue }
      collect(member.value, under: "\(prefix)\(member.key).", into: &found)
    }
  }
}
