import Pages
import Testing

struct CardTests {
  @Test func `a full page fills every field`() {
    let facts = read(
      """
      <html lang="de"><head><title>Own</title>
      <meta property="og:title" content="OG"><meta property="og:description" content="About &amp; more">
      <meta property="og:image" content="/i.png"><meta property="og:site_name" content="Site">
      <meta property="og:url" content="https://site.test/one"><meta property="og:type" content="article">
      <meta name="author" content="Ann"><meta property="article:published_time" content="2024-05-06">
      <link rel="icon" href="fav.png"><link rel="alternate" type="application/rss+xml" href="/feed">
      </head>
      """)
    let card = facts.card
    #expect(facts.title == "Own")
    #expect(card[.title] == "OG")
    #expect(card[.description] == "About & more")
    #expect(card[.image] == "https://site.test/i.png")
    #expect(card[.siteName] == "Site")
    #expect(card[.canonical] == "https://site.test/one")
    #expect(card[.type] == "article")
    #expect(card[.icon] == "https://site.test/posts/fav.png")
    #expect(card[.language] == "de")
    #expect(card[.author] == "Ann")
    #expect(card[.published] == "2024-05-06")
    #expect(card.list(.feeds) == ["https://site.test/feed"])
    #expect(
      card.sources == [
        .title: .og, .description: .og, .image: .og, .siteName: .og, .canonical: .og, .type: .og,
        .icon: .link, .language: .html, .author: .meta, .published: .og, .feeds: .link,
      ])
  }

  @Test(arguments: [
    ("<meta name=description content=own>", "own", CardOrigin.meta),
    ("<meta name=description content=own><meta name=twitter:description content=tw>", "tw", .twitter),
    ("<meta name=twitter:description content=tw><meta name=og:description content=og>", "og", .og),
    ("<META PROPERTY='OG:Description' CONTENT='upper case'>", "upper case", .og),
    ("<meta property=og:description content=first><meta property=og:description content=no>", "first", .og),
    ("<meta property=og:description content=' '><meta property=og:description content=full>", "full", .og),
    ("<meta property=og:description><meta property=og:description content=full>", "full", .og),
    ("<meta content='order does not matter' name=description>", "order does not matter", .meta),
    ("<meta name=description name=keywords content=one content=two>", "one", .meta),
    ("<meta property=unknown name=description content=x>", "x", .meta),
    ("<meta name=description content=\" a\n  b \">", "a b", .meta),
    ("<meta name=description content=a/>", "a/", .meta),
  ])
  func `the best description wins`(html: String, description: String, origin: CardOrigin) {
    let card = read(html).card
    #expect(card[.description] == description)
    #expect(card.sources[.description] == origin)
  }

  @Test(arguments: [
    ("<meta property=og:image content=//cdn.test/a.png>", "https://cdn.test/a.png"),
    ("<meta property=og:image content='/a.png?b=1&amp;c=2'>", "https://site.test/a.png?b=1&c=2"),
    ("<base href=/base/><meta property=og:image content=a.png>", "https://site.test/base/a.png"),
    ("<meta property=og:image content=a.png><base href=https://b.test/x/>", "https://b.test/x/a.png"),
    ("<base href=/one/><base href=/two/><meta property=og:image content=a>", "https://site.test/one/a"),
    (
      "<meta property=og:image content='data:image/png;base64,x'><link rel=image_src href=b>",
      "https://site.test/posts/b"
    ),
    ("<meta property=og:image content=bad:x><meta name=twitter:image content=/t>", "https://site.test/t"),
    ("<meta property=og:image:secure_url content=/s>", "https://site.test/s"),
  ])
  func `addresses are made absolute`(html: String, image: String) {
    #expect(read(html).card[.image] == image)
  }

  @Test(arguments: [
    ("", "https://site.test/favicon.ico", CardOrigin.convention),
    ("<base href=https://b.test/>", "https://site.test/favicon.ico", .convention),
    ("<link rel='shortcut icon' href=/s.ico>", "https://site.test/s.ico", .link),
    ("<link rel=apple-touch-icon href=/t.png><link rel=icon href=/i.png>", "https://site.test/i.png", .link),
    ("<link rel=apple-touch-icon href=/t.png>", "https://site.test/t.png", .link),
    (
      "<link rel=icon sizes=16x16 href=/16><link rel=icon sizes=48x48 href=/48><link rel=icon href=/0>",
      "https://site.test/48", .link
    ),
    (
      "<link rel=icon sizes='16x16 64X64' href=/a><link rel=icon sizes=32x32 href=/b>", "https://site.test/a",
      .link
    ),
    ("<link rel=icon sizes=512x512 href=/a><link rel=icon sizes=any href=/b>", "https://site.test/b", .link),
    ("<link rel=icon sizes=1x99 href=/a><link rel=icon sizes=2x2 href=/b>", "https://site.test/b", .link),
    ("<link rel=icon sizes=x href=/a><link rel=icon sizes='' href=/b>", "https://site.test/a", .link),
    (
      "<link rel=apple-touch-icon sizes=57x57 href=/a><link rel=apple-touch-icon sizes=180x180 href=/b>",
      "https://site.test/b", .link
    ),
    (
      "<link rel=mask-icon href=/m><link rel=apple-touch-icon-precomposed href=/t>", "https://site.test/t",
      .link
    ),
    ("<link rel=mask-icon href=/m>", "https://site.test/m", .link),
    ("<link rel=icon href=data:x><link rel=mask-icon href=/m>", "https://site.test/m", .link),
    ("<link rel=icon href=data:x><link rel=icon href=/i>", "https://site.test/i", .link),
    (
      "<link rel=icon sizes=any href=data:x><link rel=icon sizes=16x16 href=/i>", "https://site.test/i", .link
    ),
    ("<link rel=icon href=' DA\tTA:x'><link rel=icon href=i:>", "https://site.test/favicon.ico", .convention),
    ("<link rel=icon href='/i?a:b'>", "https://site.test/i?a:b", .link),
    ("<link rel='alternate icon' type=image/png href=/i>", "https://site.test/i", .link),
    (
      "<link rel='\(String(repeating: "x ", count: 200))icon' href=/i>", "https://site.test/favicon.ico",
      .convention
    ),
    ("<link rel='icon alternate' href=/i>", "https://site.test/i", .link),
    ("<link rel='alternate\n shortcut ICON' href=/i>", "https://site.test/i", .link),
  ])
  func `an icon is always named`(html: String, icon: String, origin: CardOrigin) {
    let card = read(html).card
    #expect(card[.icon] == icon)
    #expect(card.sources[.icon] == origin)
  }

  @Test(arguments: [
    ("<html lang=en><meta property=og:locale content=de_DE>", "en"),
    ("<meta property=og:locale content=pt_BR>", "pt-BR"),
    ("<meta http-equiv=Content-Language content=fr>", "fr"),
    ("<html xml:lang=nl>", "nl"),
    ("<html lang=' '><meta property=og:locale content=de_DE>", "de-DE"),
    ("", "is"),
  ])
  func `the language is found`(html: String, language: String) {
    let facts = PageReader().read(
      Array(html.utf8), contentType: "text/html", contentLanguage: "is", url: pageURL, resolve: resolve)
    #expect(facts.card[.language] == language)
    #expect(language != "is" || facts.card.sources[.language] == .header)
  }

  @Test(arguments: [
    ("<meta property=article:author content=1234567890><meta name=author content=Ann>", "Ann"),
    (
      "<meta property=article:author content=https://a.test/ann><meta property=article:author content=Ann>",
      "Ann"
    ),
    ("<meta property=article:author content=42><meta property=article:author content=Ann>", "Ann"),
    ("<meta name=author content=https://a.test/ann><meta name=dc.creator content=Ann>", "Ann"),
    ("<meta name=twitter:creator content=783214>", nil), ("<meta name=author content='50 Cent'>", "50 Cent"),
    ("<meta name=twitter:creator content=@2600>", "@2600"),
  ])
  func `an author is a name, and neither an id nor an address`(html: String, author: String?) {
    #expect(read(html).card[.author] == author)
  }

  @Test func `the list of feeds is bounded`() {
    let links = (1...1_000).map { "<link rel='alternate' type='application/atom+xml' href='/\($0)'>" }
    #expect(read(links.joined()).card.list(.feeds).count == 20)
    #expect(read(String(repeating: links[0], count: 9)).card.list(.feeds) == ["https://site.test/1"])
  }

  @Test(arguments: [
    ("application/rss+xml", true), ("application/atom+xml", true), ("application/feed+json", true),
    ("Application/RSS+XML; charset=utf-8", true), ("application/json", false), ("text/html", false),
    ("", false),
  ])
  func `a feed is known by its type`(type: String, isFeed: Bool) {
    let card = read("<link rel=alternate type='\(type)' href=/f>").card
    #expect(card.list(.feeds) == (isFeed ? ["https://site.test/f"] : []))
  }

  @Test(arguments: [
    (
      "<meta property=article:modified_time content=2024-05-06>", CardField.modified, CardOrigin.og,
      "2024-05-06"
    ),
    ("<meta property=og:updated_time content=2024>", .modified, .og, "2024"),
    ("<meta http-equiv=Last-Modified content=2024>", .modified, .meta, "2024"),
    ("<meta name=dcterms.modified content=2024>", .modified, .meta, "2024"),
    ("<link rel=amphtml href=/amp>", .amphtml, .link, "https://site.test/amp"),
    ("<meta name=theme-color content='#fff'><meta name=theme-color content=no>", .themeColor, .meta, "#fff"),
    ("<meta name=ROBOTS content='noindex, nofollow'>", .robots, .meta, "noindex, nofollow"),
    (
      "<link rel=alternate type=application/json+oembed href='/o?a&amp;b'>", .oembed, .link,
      "https://site.test/o?a&b"
    ),
    ("<link rel=alternate type=text/xml+oembed href=/x>", .oembed, .link, "https://site.test/x"),
    (
      "<link rel=alternate type=text/xml+oembed href=/x><link rel=alternate type=application/json+oembed href=/j>",
      .oembed, .link, "https://site.test/j"
    ),
  ])
  func `what else a page says is kept`(html: String, field: CardField, origin: CardOrigin, value: String) {
    let card = read(html).card
    let values: [CardField: String?] = [
      .modified: card[.modified], .amphtml: card[.amphtml], .themeColor: card[.themeColor],
      .robots: card[.robots],
      .oembed: card[.oembed],
    ]
    #expect(values[field] == value)
    #expect(card.sources[field] == origin)
  }

  @Test(arguments: [
    ("<meta property=og:image content=/a>", []),
    ("<meta property=og:image content=/a><meta property=og:image content=/a>", []),
    ("<meta property=og:image content=/a><meta property=og:image:secure_url content=/s>", []),
    ("<meta property=og:image content=/a><meta property=og:image content=/b>", ["/a", "/b"]),
    ("<meta name=twitter:image content=/t><meta property=og:image content=/a>", ["/a", "/t"]),
    (
      "<meta property=og:image content=/a><meta property=og:image content=data:x><meta property=og:image content=/b>",
      ["/a", "/b"]
    ),
    // None is the card's own: the first cannot be made absolute.
    (
      "<base href=x:y><meta property=og:image content=/a>"
        + "<meta property=og:image content=https://c.test/1><meta property=og:image content=https://c.test/2>",
      []
    ),
  ])
  func `several images are listed, the card's own first`(html: String, paths: [String]) {
    #expect(read(html).card.list(.images) == paths.map { "https://site.test\($0)" })
  }

  @Test func `the list of images is bounded`() {
    let images = (1...99).map { "<meta property=og:image content=/\($0)>" }.joined()
    #expect(read(images).card.list(.images).count == 5)
  }

  @Test func `one element may say two things`() {
    let card = read("<meta property=og:title name=description content=both>").card
    #expect(card[.title] == "both")
    #expect(card[.description] == "both")
  }

  @Test func `a template says nothing about the page`() {
    let card = read("<template><meta name=description content=no></template>").card
    #expect(card[.description] == nil)
  }

  @Test func `an address that is too long is left out`() {
    let long = String(repeating: "a", count: 10_000)
    #expect(read("<link rel=canonical href=/\(long)>").card[.canonical] == nil)
  }

  @Test func `a meta refresh is kept as it is`() {
    let html = "<noscript><meta http-equiv=refresh content='0; url=/a?b=1&amp;c'></noscript>"
    #expect(read(html).refresh == "0; url=/a?b=1&c")
  }

  @Test func `the base is reported only where there is one`() {
    #expect(read("<base href=/b/>").baseHref == "https://site.test/b/")
    #expect(read("<base href=bad:x>").baseHref == nil)
    #expect(read("").baseHref == nil)
  }

  @Test func `an alternate of a feed's type is a feed, also where it is more`() {
    let card = read(
      "<link rel='alternate icon' type=application/rss+xml href=/f><link rel='home alternate' type=application/atom+xml href=/g>"
    ).card
    #expect(card.list(.feeds) == ["https://site.test/f", "https://site.test/g"])
    #expect(read("<link rel='alternate icon' type=image/png href=/i>").card.list(.feeds) == [])
  }

  @Test(arguments: [
    ("og", "<meta property=og:image content=data:x><meta property=og:image content=/a>", CardOrigin.og),
    ("Twitter", "<meta name=twitter:image content=blob:x><meta name=twitter:image content=/a>", .twitter),
    ("a link", "<link rel=image_src href=cid:x><link rel=image_src href=/a>", .link),
    (
      "JSON-LD",
      #"<script type=application/ld+json>{"@type":"Article","image":["data:x",{"url":"data:y","contentUrl":"/a"}]}</script>"#,
      .jsonLD
    ),
  ])
  func `an image that cannot be fetched hides none behind it`(what: String, html: String, from: CardOrigin) {
    let card = read(html).card
    #expect(card[.image] == "https://site.test/a")
    #expect(card.sources[.image] == from)
    #expect(card.list(.images) == [])
  }

  @Test func `other addresses that cannot be fetched hide none either`() {
    let card = read(
      """
      <meta property=og:url content=javascript:x><meta property=og:url content=/u>
      <link rel=amphtml href=data:x><link rel=amphtml href=/amp>
      <link rel=alternate type=application/json+oembed href=data:x><link rel=alternate type=application/json+oembed href=/o>
      """
    ).card
    #expect(card[.canonical] == "https://site.test/u")
    #expect(card[.amphtml] == "https://site.test/amp")
    #expect(card[.oembed] == "https://site.test/o")
  }
}
