/// Pages as a decoder gets them: made here, so that every machine measures the same bytes.
enum SamplePage {
  static var all: [(name: String, bytes: [UInt8])] {
    let script = "<head><script>" + String(repeating: line, count: 15_000) + "</script><title>t"
    let legacy = page("windows-1252").map { $0 == UInt8(ascii: "q") ? 0xE9 : $0 }
    return [
      ("45 KB in UTF-8", page()), ("in windows-1252", legacy),
      ("with 4 KB of JSON-LD", page("utf-8", linkedData)),
      ("without a title, read to its end", page(titled: false)),
      ("an inline script of 1 MB", Array(script.utf8)),
    ]
  }

  private static let head = """
    <!doctype html><html lang=en><head><meta charset=CHARSET><title>A page to measure &amp; more &#8211; caf&eacute;</title>
    <meta property=og:title content="A page to measure"><meta property=og:type content=article>
    <meta property=og:image content=/image.png><meta property=og:url content=https://example.org/page>
    <meta property=og:description content="Forty kilobytes &amp; more"><meta name=description content="Forty kilobytes">
    <link rel=canonical href=/page><link rel=icon sizes=32x32 href=/i.png><link rel=stylesheet href=/a.css>
    <link rel=alternate type=application/rss+xml href=/feed><script src=/a.js></script>JSON</head><body>
    """
  private static let paragraph = """
    <div class="a b"><p id=x>Lorem ipsum dolor sit amet, <a href="/x">consectetur</a> adipiscing elit, sed <b>do</b> &amp;.</p></div>

    """
  private static let line = "var a = function(b) { return b < 3 && c > 'x' } // some text here\n"

  private static func page(_ charset: String = "utf-8", _ json: String = "", titled: Bool = true) -> [UInt8] {
    var html = head.replacing("CHARSET", with: charset).replacing("JSON", with: json)
    if !titled { html = html.replacing("title>", with: "p>").replacing("og:title", with: "x") }
    return Array(
      (html + String(repeating: paragraph, count: (45_000 - html.utf8.count) / paragraph.utf8.count)).utf8)
  }

  private static var linkedData: String {
    let items = String(
      repeating: #"{"@type":"ListItem","position":1,"item":"https://example.org/a"},"#, count: 50)
    return #"<script type="application/ld+json">[\#(items){"@type":"Article","headline":"H"}]</script>"#
  }
}
