import Pipeline
import PipelineTesting
import Roles
import Testing

/// Pages that name no oEmbed endpoint, on sites whose endpoint the registry knows.
@Suite(.timeLimit(.minutes(10)))
struct RegistryTests {
  private static let page = "https://vimeo.com/1234?a=b&c=%20"
  private static let endpoint =
    "https://vimeo.com/api/oembed.json?format=json&url=https%3A%2F%2Fvimeo.com%2F1234%3Fa%3Db%26c%3D%2520"
  private static let answer = FetchResponse.json(
    #"""
    {"type":"video","title":"V","author_name":"Ann","thumbnail_url":"https://i.test/t.jpg","thumbnail_width":480,
     "thumbnail_height":360}
    """#)

  private func fixture(_ page: FetchResponse = .page("<title>Page</title>")) -> EmbedFixture {
    EmbedFixture([Self.page: page, Self.endpoint: Self.answer, EmbedFixture.endpoint: Self.answer])
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `the known endpoint is asked for the page`(transport: TransportUnderTest) async throws {
    let fixture = fixture()
    let row = try await fixture.row(of: Self.page + "#part", in: transport, language: "de")
    #expect(fixture.requests.map(\.url) == [Self.page, Self.endpoint])
    #expect(
      fixture.requests.map(\.headers) == Array(repeating: [HeaderField("Accept-Language", "de")], count: 2))
    #expect(row["card.author"] == "Ann")
    #expect(row["card.oembed"] == Self.endpoint)
    #expect(row["card.sources.oembed"] == "registry")
    #expect(row["card.image_width"] == "480")
    #expect(row["card.image_height"] == "360")
    #expect(row["card.sources.image_width"] == "oembed")
  }

  @Test func `the address at the end of the redirects counts, and a page without a title has the endpoint's`()
    async throws
  {
    let fixture = EmbedFixture([
      EmbedFixture.page: .redirect(to: Self.page), Self.page: .page("<p>nothing"), Self.endpoint: Self.answer,
    ])
    let row = try await fixture.row()
    #expect(fixture.requests.map(\.url) == [EmbedFixture.page, Self.page, Self.endpoint])
    #expect(row["title"] == "V")
    #expect(row["status"] == "ok")
  }

  @Test func `an endpoint that the page names stands before it, also one that is not read`() async throws {
    let named = fixture(.naming())
    #expect(try await named.row(of: Self.page)["card.sources.oembed"] == "link")
    #expect(named.requests.map(\.url) == [Self.page, EmbedFixture.endpoint])
    let xml = fixture(.naming(type: "text/xml+oembed"))
    #expect(try await xml.row(of: Self.page)["card.embed_error.kind"] == "no_data")
    #expect(xml.requests.count == 1)
  }

  @Test func `it is not asked without the wish, nor for what is not a page that was read`() async throws {
    let unwanted = fixture()
    let row = try await unwanted.row(of: Self.page, wantsEmbed: false)
    #expect(row["card.oembed"] == nil)
    #expect(unwanted.requests.count == 1)
    for answer in [.page("<title>Gone</title>", status: 404), .json("{}"), FetchResponse(status: 204)] {
      let fixture = fixture(answer)
      #expect(try await fixture.row(of: Self.page)["card.oembed"] == nil)
      #expect(fixture.requests.count == 1)
    }
    let port = "https://vimeo.com:8443/1234"
    let other = EmbedFixture([port: .page("<title>Page</title>")])
    #expect(try await other.row(of: port)["card.embed_error"] == nil)
    #expect(other.requests.count == 1)
  }

  @Test func `what is wrong with it is told beside the page`() async throws {
    let fixture = EmbedFixture([
      Self.page: .page("<title>Page</title>"), Self.endpoint: FetchResponse(status: 403),
    ])
    let row = try await fixture.row(of: Self.page)
    #expect(row["status"] == "ok")
    #expect(row["title"] == "Page")
    #expect(row["card.embed_error.kind"] == "http_status")
  }
}
