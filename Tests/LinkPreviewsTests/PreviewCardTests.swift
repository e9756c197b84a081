import Testing

@testable import LinkPreviews

struct PreviewCardTests {
  private func html(_ card: String, showsImage: Bool = true) -> String {
    let row = #"{"input":"https://a.test/","url":"https://a.test/","card":\#(card),"hops":[]}"#
    return PreviewCard(PreviewRow(Array(row.utf8)), showsImage: showsImage, pages: [.json, .explanation]).html
  }

  @Test func `text of others stays text`() {
    let html = html(
      #"{"title":"<script>alert(1)</script>","description":"\" onload=\"x","site_name":"\u202Egnp.exe"}"#)
    #expect(html.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
    #expect(html.contains("&quot; onload=&quot;x"))
    #expect(!html.contains("\u{202E}"))
    #expect(!html.contains("<script"))
  }

  @Test func `an image is shown when it is one of the web and wanted`() {
    let card = #"{"title":"A","image":"https://a.test/i.png"}"#
    #expect(html(card).contains(#"<img src="https://a.test/i.png" alt="""#))
    #expect(!html(card, showsImage: false).contains("<img"))
    #expect(!html(#"{"title":"A","image":"javascript:alert(1)"}"#).contains("<img"))
  }

  @Test func `a card leads to what is told of its link, which its address encodes`() {
    let row = #"{"input":"https://a.test/?b=c&d","url":"https://a.test/","card":{"title":"A"}}"#
    let html = PreviewCard(PreviewRow(Array(row.utf8)), pages: [.json, .explanation]).html
    let link = "https%3A%2F%2Fa.test%2F%3Fb%3Dc%26d"
    #expect(html.contains(#"<a href="v1/preview?url=\#(link)">JSON</a>"#))
    #expect(html.contains(#"<a href="explain?url=\#(link)">why</a>"#))
  }

  @Test func `lines of an explanation stand as they are, and stay text`() {
    let note = String(
      decoding: PreviewPages.explanation(of: "a<b", ["1  GET", "   <x>"], root: "../"), as: UTF8.self)
    #expect(
      note.contains(">a&lt;b</p>") && note.contains("<span>1  GET</span><span>   &lt;x&gt;</span></pre>"))
    #expect(note.contains(#"href="../assets/page-"#) && note.contains(#"<a href=".././?links=a%3Cb">"#))
    #expect(!note.contains("{{"))
  }

  @Test func `links of a card have the token that its page was asked with`() {
    let row = PreviewRow(Array(#"{"input":"https://a.test/","url":"https://a.test/"}"#.utf8))
    let html = PreviewCard(row, pages: [.json], token: "a\"b").html
    #expect(html.contains(#"href="v1/preview?url=https%3A%2F%2Fa.test%2F&amp;api_key=a%22b""#), "\(html)")
  }

  @Test func `the page has what was asked for, and its parts`() {
    let page = String(
      decoding: PreviewPages.page(
        links: ["https://a.test/?a=1&b=<"], showsImages: false, state: "1 of 1.", cards: ["<p>card</p>"]),
      as: UTF8.self)
    #expect(page.contains(">https://a.test/?a=1&amp;b=&lt;</textarea>"))
    #expect(page.contains("<p>card</p>\n</section>"))
    #expect(page.contains(PreviewPages.style.path) && page.contains(PreviewPages.script.path))
    #expect(!page.contains("{{"))
  }
}
