import Halyard
import Pipeline
import PipelineTesting
import Testing

/// All that answers say of a page, and answers that users make up.
@Suite(.timeLimit(.minutes(10)))
struct ClientCardTests {
  private static let page = """
    <html lang="en"><title>A page</title>
    <meta property="og:title" content="A title"><meta property="og:description" content="Much">
    <meta property="og:image" content="/1.png">
    <meta property="og:image:width" content="1200"><meta property="og:image:height" content="630">
    <meta property="og:image:type" content="image/png"><meta property="og:image:alt" content="A ship"><meta property="og:image" content="/2.png">
    <meta property="og:site_name" content="Here"><meta property="og:type" content="article">
    <meta name="author" content="Ada"><meta name="theme-color" content="#123456">
    <meta name="robots" content="noindex">
    <meta property="article:published_time" content="2024-01-02">
    <meta property="article:modified_time" content="2024-01-03">
    <link rel="canonical" href="/page"><link rel="icon" href="/icon.png"><link rel="amphtml" href="/amp">
    <link rel="alternate" type="application/rss+xml" href="/feed">
    <link rel="alternate" type="application/json+oembed" href="/oembed">
    """

  private static let endpoint = #"""
    {"type": "video", "version": "1.0", "title": "A film", "author_name": "Bea", "author_url": "http://a.test/bea",
     "provider_name": "Films", "provider_url": "http://a.test/", "url": "http://a.test/film",
     "thumbnail_url": "http://a.test/still", "thumbnail_width": 16, "thumbnail_height": 9, "width": 160,
     "height": 90, "html": "<b>film</b>"}
    """#

  private static func client(_ endpoint: FetchResponse = .json(endpoint)) throws -> HalyardClient {
    var settings = ClientSettings()
    settings.retries = 0
    return try HalyardClient(
      settings, fetching: ScriptedFetching(["http://a.test/": .page(page), "http://a.test/oembed": endpoint]))
  }

  private static let card: PageInfo.Card = {
    var card = PageInfo.Card()
    (card.title, card.description, card.image) = ("A title", "Much", "http://a.test/1.png")
    (card.imageWidth, card.imageHeight, card.imageType, card.imageAlt) = (1_200, 630, "image/png", "A ship")
    (card.siteName, card.canonical, card.type) = ("Here", "http://a.test/page", "article")
    (card.icon, card.language, card.author) = ("http://a.test/icon.png", "en", "Ada")
    (card.published, card.modified) = ("2024-01-02", "2024-01-03")
    (card.images, card.feeds) = (["http://a.test/1.png", "http://a.test/2.png"], ["http://a.test/feed"])
    (card.amphtml, card.themeColor, card.robots) = ("http://a.test/amp", "#123456", "noindex")
    card.oembed = "http://a.test/oembed"
    return card
  }()

  private static let embed: PageInfo.Embed = {
    var embed = PageInfo.Embed()
    (embed.type, embed.title, embed.url, embed.html) = (
      "video", "A film", "http://a.test/film", "<b>film</b>"
    )
    (embed.authorName, embed.authorURL) = ("Bea", "http://a.test/bea")
    (embed.providerName, embed.providerURL) = ("Films", "http://a.test/")
    (embed.thumbnailURL, embed.thumbnailWidth, embed.thumbnailHeight) = ("http://a.test/still", 16, 9)
    (embed.width, embed.height) = (160, 90)
    return embed
  }()

  @Test func `a card has all that its row has`() async throws {
    let client = try Self.client()
    #expect(try await client.title("http://a.test/").get().card == Self.card)
    var card = Self.card
    card.embed = Self.embed
    #expect(try await client.title("http://a.test/", embed: true).get().card == card)
    #expect(try await client.unfurl("http://a.test/").title(embed: true).get().card == card)
    try await client.end()
  }

  @Test func `why an endpoint says nothing stands in the card, and the page has its title`() async throws {
    let client = try Self.client(.page("no JSON"))
    let page = try await client.title("http://a.test/", embed: true).get()
    #expect(page.title == "A page")
    #expect(page.card.embed == nil)
    #expect(page.card.embedError?.kind == .dataParsingFailed)
    #expect(page.card.embedError?.message.contains("http://a.test/oembed") == true)
    try await client.end()
  }

  @Test func `answers can be made up, as the client makes them`() async throws {
    let client = try HalyardClient(
      fetching: ScriptedFetching([
        "http://a.test/short": .redirect(to: "http://a.test/data"), "http://a.test/data": .json("[7]"),
        "http://a.test/": .page("<title>A</title>"),
      ]))
    var way = ResolvedLink(
      input: "http://a.test/short", url: "http://a.test/data", hops: [.init(url: "http://a.test/short")])
    way.contentType = "application/json"
    #expect(try await client.unfurl("http://a.test/short").get() == way)
    #expect(
      try await client.decode([Int].self, from: "http://a.test/short").get()
        == DecodedDocument(resolved: way, value: [7]))
    var card = PageInfo.Card()
    (card.title, card.icon) = ("A", "http://a.test/favicon.ico")
    var page = PageInfo(resolved: ResolvedLink(input: "http://a.test/"), title: "A", card: card)
    page.resolved.contentType = "text/html"
    for try await outcome in client.results(of: ["http://a.test/"], { $0.title($1) }) {
      let made = CallOutcome(index: 0, url: page.url, result: .success(page))
      #expect(outcome.index == made.index && outcome.url == made.url)
      #expect(outcome.result == made.result)
    }
    try await client.end()
  }
}
