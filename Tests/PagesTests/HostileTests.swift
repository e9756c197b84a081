import Testing

@testable import Pages

struct HostileTests {
  private static let pieces = [
    "<title>", "</title>", "<svg>", "</svg>", "<math>", "<template>", "</template>", "<script>", "</script>",
    "<!--", "-->", "--!>", "<![CDATA[", "]]>", "<meta charset=shift_jis>",
    "<meta property=og:title content='",
    "'", "\"", ">", "<", "/", "=", "&", "&amp", "&#x", "&#99999999999;", ";", "<h1>", "</h1>", "<base href=",
    "<link rel=icon sizes=", "99999999999999999999x1", "\0", "\u{301}", "é", " ", "</", "<!", "<?",
    "<a b=c d='e'",
    "<foreignObject>", "<annotation-xml encoding=text/html>", "<desc>", "</head>", "<body>", "charset=",
    "<style>",
  ]

  private static let contentTypes: [String?] = [
    nil, "text/html", "application/xml", "text/html; charset=iso-2022-jp", "text/html; charset=utf-16le",
    "text/html; charset=gb18030",
  ]

  @Test func `no mix of pieces and noise traps`() {
    var random = Random(seed: 1)
    for round in 0..<50_000 {
      let body = Self.page(&random)
      let contentType = Self.contentTypes[round % Self.contentTypes.count]
      let facts = read(body, contentType: contentType)
      if (facts.title?.utf8.count ?? 0) > 2_000 { Issue.record("a title of \(facts.title?.utf8.count ?? 0)") }
    }
  }

  private static func page(_ random: inout Random) -> [UInt8] {
    var body: [UInt8] = []
    for _ in 0..<Int.random(in: 0...24, using: &random) {
      if Int.random(in: 0..<8, using: &random) == 0 {
        body += random.bytes(count: 3)
      } else {
        body += (pieces.randomElement(using: &random) ?? "").utf8
      }
    }
    return body
  }

  @Test(arguments: pieces)
  func `the tokenizer yields no more tokens than there are bytes`(piece: String) {
    let page = Array(String(repeating: piece, count: 500).utf8)
    var tokenizer = Tokenizer()
    var last = -1
    var tokens = 0
    while true {
      if case .end = tokenizer.next(in: page.span, markup: .html, allowsCDATA: true) { break }
      tokens += 1
      #expect(tokenizer.position > last)
      last = tokenizer.position
    }
    #expect(tokens <= page.count)
  }

  /// Each of them is counted against what is kept, so that a long list of small ones costs no more than a large one.
  @Test(arguments: ["", "0", "{}"])
  func `many small scripts with JSON-LD take no more than a large one`(content: String) {
    let script = "<script type=application/ld+json>\(content)</script>"
    var scan = PageScan(markup: .html, limits: PageLimits())
    scan.run(over: Array(String(repeating: script, count: 20_000).utf8).span)
    #expect(scan.findings.linkedData.count > 100)
    #expect(scan.findings.linkedData.count < 5_000)
  }

  @Test(arguments: pieces)
  func `a piece repeated thousands of times costs no more than its length`(piece: String) {
    let prefixes = ["", "<title>", "<h1>", "<script><!--", "<!--", "<a ", "<meta content='", "<svg>"]
    for prefix in prefixes {
      expectLinearTime(from: 1_000) { count in
        let body = Array((prefix + String(repeating: piece, count: count)).utf8)
        return { #expect((read(body).title?.utf8.count ?? 0) <= 2_000) }
      }
    }
  }
}
