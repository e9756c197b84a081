import Foundation
import Pages
import Testing

/// How long a decoder's work on one page takes; for `scripts/bench decode`, which prints it. Nothing is judged.
struct PageBenchTests {
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

  @Test(.enabled(if: ProcessInfo.processInfo.environment["HALYARD_BENCH"] == "decode"))
  func `pages are read quickly`() {
    let script = Array(
      ("<head><script>" + String(repeating: Self.line, count: 15_000) + "</script><title>t").utf8)
    let legacy = Self.page("windows-1252").map { $0 == UInt8(ascii: "q") ? 0xE9 : $0 }
    let pages: [(String, [UInt8])] = [
      ("a page of 45 KB in UTF-8", Self.page()), ("in windows-1252", legacy),
      ("with 4 KB of JSON-LD", Self.page("utf-8", Self.linkedData)),
      ("without a title, read to its end", Self.page(titled: false)), ("an inline script of 1 MB", script),
    ]
    for (name, body) in pages {
      let time = Self.best { _ = read(body, contentType: "text/html") }
      let rate = Double(body.count) / time / 1_000
      print("\(name): \((time * 10).rounded() / 10) µs, \((rate * 100).rounded() / 100) GB/s")
    }
  }

  /// In microseconds, of many rounds.
  private static func best(_ work: () -> Void) -> Double {
    let times = (0..<500).map { _ in ContinuousClock().measure(work) }
    return Double((times.min() ?? .zero).components.attoseconds) / 1e12
  }
}
