import LedgerMemory
import Links
import Pipeline
import PipelineTesting
import Roles
import Testing

/// A page's oEmbed endpoint is asked, and its answer goes into the card.
@Suite(.timeLimit(.minutes(10)))
struct EmbedTests {
  private static let answer = FetchResponse.json(
    #"""
    {"type":"video","version":"1.0","title":"Other &amp; more","author_name":"Ann","author_url":"https://b.test/ann",
     "provider_name":"B-Tube","thumbnail_url":"/t.jpg","thumbnail_width":480,"thumbnail_height":"360",
     "html":"<iframe></iframe>"}
    """#)

  @Test(arguments: TransportUnderTest.allCases)
  func `what the endpoint says is in the card, and fills what the page left empty`(
    transport: TransportUnderTest
  )
    async throws
  {
    let fixture = EmbedFixture([EmbedFixture.page: .naming(), EmbedFixture.endpoint: Self.answer])
    let row = try await fixture.row(in: transport)
    #expect(row["status"] == "ok")
    #expect(row["url"] == EmbedFixture.page)
    #expect(row["title"] == "Page")
    #expect(row["title_source"] == "title")
    #expect(row["card.title"] == "Page")
    #expect(row["card.oembed"] == EmbedFixture.endpoint)
    #expect(row["card.embed.type"] == "video")
    #expect(row["card.embed.title"] == "Other & more")
    #expect(row["card.embed.thumbnail_height"] == "360")
    #expect(row["card.embed.html"] == "<iframe></iframe>")
    #expect(row["card.author"] == "Ann")
    #expect(row["card.site_name"] == "B-Tube")
    #expect(row["card.image"] == "http://b.test/t.jpg")
    for field in ["author", "site_name", "image", "embed"] {
      #expect(row["card.sources.\(field)"] == "oembed")
    }
    #expect(row["card.sources.title"] == "title")
    #expect(row["card.embed_error"] == nil)
    #expect(row["hops"] == "[]")
    #expect(row["attempts"] == "1")
    #expect(row["http_status"] == "200")
    #expect(fixture.lines == ["GET \(EmbedFixture.page)", "GET \(EmbedFixture.endpoint)"])
    #expect(fixture.requests.last?.body == .whole(capBytes: 64 << 10))
  }

  @Test func `without the wish nobody is asked`() async throws {
    let fixture = EmbedFixture([EmbedFixture.page: .naming(), EmbedFixture.endpoint: Self.answer])
    let row = try await fixture.row(wantsEmbed: false)
    #expect(row["card.oembed"] == EmbedFixture.endpoint)
    #expect(row["card.embed"] == nil)
    #expect(fixture.lines == ["GET \(EmbedFixture.page)"])
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `redirects are followed, and nothing that was for the page is sent`(transport: TransportUnderTest)
    async throws
  {
    let here = "http://a.test/oembed"
    let fixture = EmbedFixture([
      // A page with a refresh is passed on with its cookies.
      EmbedFixture.page: .naming("/oembed", html: "<title>Page</title><meta http-equiv=refresh content=99>")
        .keeping("a.test\tFALSE\t/\tFALSE\t0\ts\tsecret"),
      here: .redirect(to: EmbedFixture.endpoint), EmbedFixture.endpoint: Self.answer,
    ])
    let row = try await fixture.row(in: transport) { pipeline in
      pipeline.settings.fetcher.ownHeaders = [HeaderField("Authorization", "Basic x")]
    }
    #expect(row["card.author"] == "Ann")
    #expect(fixture.requests.map(\.url) == [EmbedFixture.page, here, EmbedFixture.endpoint])
    #expect(fixture.requests.map(\.headers.count) == [1, 0, 0])
    #expect(fixture.requests.allSatisfy { $0.cookies.isEmpty })
  }

  @Test func `page and endpoint are asked for the same language`() async throws {
    let fixture = EmbedFixture([EmbedFixture.page: .naming(), EmbedFixture.endpoint: Self.answer])
    let row = try await fixture.row(language: "de, en;q=0.5")
    #expect(row["card.author"] == "Ann")
    let header = HeaderField("Accept-Language", "de, en;q=0.5")
    #expect(fixture.requests.map(\.headers) == [[header], [header]])
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `only the page at the end names an endpoint, from where it stands`(transport: TransportUnderTest)
    async throws
  {
    let end = "http://c.test/dir/page"
    var redirect = FetchResponse.redirect(to: "/turn")
    redirect.body = FetchResponse.naming("http://evil.test/1").body
    let fixture = EmbedFixture([
      EmbedFixture.page: redirect,
      "http://a.test/turn": .naming(
        "http://evil.test/2", html: "<meta http-equiv=refresh content='0;url=\(end)'>"),
      end: .naming("o"), "http://c.test/dir/o": .redirect(to: EmbedFixture.endpoint),
      EmbedFixture.endpoint: Self.answer,
    ])
    let row = try await fixture.row(in: transport)
    #expect(row["url"] == end)
    #expect(row["card.oembed"] == "http://c.test/dir/o")
    #expect(row["card.image"] == "http://b.test/t.jpg")
    #expect(
      fixture.requests.map(\.url) == [
        EmbedFixture.page, "http://a.test/turn", end, "http://c.test/dir/o", EmbedFixture.endpoint,
      ])
  }

  @Test func `a page without a title has that of its endpoint`() async throws {
    let bare = FetchResponse.naming(html: "<p>nothing</p>")
    let row = try await EmbedFixture([EmbedFixture.page: bare, EmbedFixture.endpoint: Self.answer]).row()
    #expect(row["status"] == "ok")
    #expect(row["title"] == "Other & more")
    #expect(row["title_source"] == "oembed")
    #expect(row["card.sources.title"] == "oembed")
    for pages in [
      [EmbedFixture.page: bare],
      [EmbedFixture.page: bare, EmbedFixture.endpoint: .json(#"{"type":"link"}"#)],
    ] {
      let row = try await EmbedFixture(pages).row()
      #expect(row["error.kind"] == "missing_page_title")
      #expect((row["card.embed_error"] == nil) == (pages.count == 2))
    }
  }

  @Test func `robots txt is asked for the endpoint too`() async throws {
    let fixture = EmbedFixture([
      EmbedFixture.page: .naming(), EmbedFixture.endpoint: Self.answer,
      "http://a.test/robots.txt": FetchResponse(status: 404),
      "http://b.test/robots.txt": FetchResponse(
        status: 200, body: Array("User-agent: *\nDisallow: /oembed".utf8)),
    ])
    let row = try await fixture.row { $0.settings.fetcher.robotsName = ProductToken(userAgent: "halyard") }
    #expect(row["status"] == "ok")
    #expect(row["card.embed_error.kind"] == "robots")
    #expect(fixture.lines.last == "GET http://b.test/robots.txt")
  }

  @Test func `what is kept has the endpoint's answer, and is another's question`() async throws {
    let fixture = EmbedFixture([EmbedFixture.page: .naming(), EmbedFixture.endpoint: Self.answer])
    let cache = MemoryResultCache()
    let keep: (inout TestPipeline) -> Void = {
      $0.caching = AnswerCaching(in: cache, for: CacheRule(answersMilliseconds: 3_600_000))
    }
    _ = try await fixture.row(keep)
    let again = try await fixture.row(keep)
    #expect(again["cached"] == "true")
    #expect(again["card.author"] == "Ann")
    #expect(fixture.requests.count == 2)
    #expect(try await fixture.row(wantsEmbed: false, keep)["card.embed"] == nil)
    #expect(fixture.requests.count == 3)
  }

  @Test func `an answer that lacks what may be there next time is not kept`() async throws {
    for (status, requests) in [(503, 4), (404, 2)] {
      let fixture = EmbedFixture([
        EmbedFixture.page: .naming(), EmbedFixture.endpoint: .json("", status: status),
      ])
      let cache = MemoryResultCache()
      for _ in 0..<2 {
        _ = try await fixture.row {
          $0.caching = AnswerCaching(in: cache, for: CacheRule(answersMilliseconds: 3_600_000))
        }
      }
      #expect(fixture.requests.count == requests, "\(status)")
    }
  }
}
