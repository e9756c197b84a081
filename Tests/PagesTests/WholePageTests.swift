import Testing

@testable import Pages

/// What is read of a page beyond its head, and what is not.
struct WholePageTests {
  private static let turn = "<noscript><meta http-equiv=refresh content='0; url=/plain'></noscript>"

  @Test(arguments: [
    ("<title>t</title><meta property=og:title content=o>", nil), ("<title>t</title>", "0; url=/plain"),
    ("<title>t</title><meta name=description content=d>", nil),
    ("<title>t</title><meta name=twitter:card content=summary>", "0; url=/plain"),
    ("<meta property=og:title content=o>", "0; url=/plain"), ("", "0; url=/plain"),
    ("<meta http-equiv=refresh content='1; url=/next'>", "1; url=/next"),
  ])
  func `a refresh in noscript counts where the page is nothing without it`(rest: String, refresh: String?) {
    for html in [Self.turn + rest, rest + Self.turn] {
      let facts = PageReader(readsOnForRefresh: true).read(
        Array(html.utf8), contentType: "text/html", url: pageURL, resolve: resolve)
      #expect(facts.refresh == refresh, "\(html)")
    }
  }

  @Test func `a refresh behind noscript is one like any other`() {
    let html = "<title>t</title><meta name=description content=d><noscript></noscript>"
    let facts = PageReader(readsOnForRefresh: true).read(
      Array("\(html)<meta http-equiv=refresh content='0; url=/a'>".utf8), contentType: "text/html",
      url: pageURL,
      resolve: resolve)
    #expect(facts.refresh == "0; url=/a")
  }

  @Test(arguments: [
    "<head><title>t</title><div></div><img><iframe></iframe>#</head><body>",
    "<head><title>t</title><body><p>#</head><body>",
    "<head><title>t</title></head><body><div>#</div>",
    "<title>t</title><body>\(String(repeating: "<p>words", count: 5_000))#</body>",
    "<HEAD><TITLE>t</TITLE></HEAD><BODY><P>#",
  ])
  func `what describes a page counts wherever it stands`(html: String) {
    let metadata =
      "<META property='og:image' content=/i.png><meta name=description content=d><link rel=canonical href=/c>"
    let page = html.replacing("#", with: metadata)
    for charset in ["utf-8", "windows-1251", "utf-16le"] {
      let body = charset == "utf-16le" ? page.utf8.flatMap { [$0, 0] } : Array(page.utf8)
      let facts = read(body, contentType: "text/html; charset=\(charset)")
      #expect(facts.title == "t")
      #expect(facts.card[.image] == "https://site.test/i.png", "\(charset)")
      #expect(facts.card[.description] == "d")
      #expect(facts.card[.canonical] == "https://site.test/c")
    }
  }

  /// As a pin of Pinterest's has it.
  @Test(arguments: [
    "<meta property=og:site_name content=S>", "<meta property=og:type content=article>",
    "<meta name=twitter:card content=summary><meta property=og:url content=/u>",
    "<meta property=og:locale content=en_US><meta property=article:author content=Ann>",
    "<meta property=og:image content=data:x>",
  ])
  func `a head whose card has neither title nor image leaves them to the body`(head: String) {
    let page =
      "<head><title>t</title>\(head)</head><body><div><meta property=og:title content=o><meta property=og:image content=/i>"
    for charset in ["utf-8", "windows-1251"] {
      let card = read(page, contentType: "text/html; charset=\(charset)").card
      #expect(card[.title] == "o")
      #expect(card[.image] == "https://site.test/i")
    }
  }

  @Test func `JSON-LD in the body counts where the head has nothing for previews`() {
    let script = #"<script type=application/ld+json>{"@type":"Article","description":"d"}</script>"#
    #expect(read("<head><title>t</title></head><body>\(script)").card[.description] == "d")
  }

  /// What costs the time of one more pass is not done where the head is complete.
  @Test(arguments: [
    "<head><title>t</title><meta property=og:title content=o></head><body>",
    "<head><title>t</title><meta name=twitter:title content=o></head><body>",
    "<head><title>t</title><meta property=og:image content=/i></head><body><meta property=og:title content=no>",
    "<head><title>t</title><meta property=og:site_name content=S></head><body>",
    "<head><title>t</title></head><body><p>no more elements of that kind</p>",
  ])
  func `a page is left behind a complete head, and where nothing more can come`(html: String) {
    let page = Array((html + String(repeating: "<p>words", count: 1_000)).utf8)
    var scan = PageScan(markup: .html, limits: PageLimits())
    scan.run(over: page.span)
    #expect(scan.stoppedEarly)
  }

  @Test func `a body that describes something else adds nothing to a head with a preview`() {
    let card = read(
      "<head><title>t</title><meta property=og:title content=o></head><body><meta name=description content=d>"
    ).card
    #expect(card[.title] == "o")
    #expect(card[.description] == nil)
  }

  @Test func `many bodies before the end of a head take no longer than one`() {
    let page = String(repeating: "<body>", count: 200_000) + "</head><title>t</title>"
    #expect(read(page).title == "t")
  }

  @Test(arguments: [("text/html", 1), ("text/html; charset=windows-1252", 0)])
  func `a charset that nobody names is told as a guess`(type: String, warnings: Int) {
    let latin = Array("<title>caf".utf8) + [0xE9]
    let facts = read(latin, contentType: type)
    #expect(facts.title == "café")
    #expect(facts.charset == "windows-1252")
    #expect(facts.warnings == [PageWarning](repeating: .charsetGuessed(.windows1252), count: warnings))
  }

  @Test(arguments: ["<title>café", "<title>cafe", "<meta charset=iso-8859-2><title>caf\u{E9}"])
  func `a charset that is plain to see is no guess`(html: String) {
    #expect(read(html, contentType: "text/html").warnings == [])
  }

  @Test func `a late declaration is none either`() {
    let late = String(repeating: "<!-- -->", count: 200) + "<meta charset=windows-1251><title>"
    let facts = read(Array(late.utf8) + [0xC4, 0xE0], contentType: "text/html")
    #expect(facts.title == "Да")
    #expect(facts.warnings == [])
  }
}
