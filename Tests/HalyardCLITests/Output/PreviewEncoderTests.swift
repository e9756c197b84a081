import Testing

@testable import HalyardCLI

/// The page of link previews.
struct PreviewEncoderTests {
  private func page(_ rows: String...) throws -> String {
    let encoder = PreviewEncoder()
    var bytes: [UInt8] = []
    encoder.appendHeader(to: &bytes)
    for row in rows { try encoder.append(Array(row.utf8), to: &bytes) }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `a page is shown with its site, title, description and image`() throws {
    let html = try page(
      #"{"input":"http://sho.rt/1","url":"https://a.test/b","title":"T","card":{"title":"C & c","description":"D","image":"https://a.test/i.png","site_name":"A"}}"#
    )
    #expect(
      html.hasSuffix(
        #"<article><p>http://sho.rt/1</p><a class="card" href="https://a.test/b" rel="noopener noreferrer">"#
          + "<small>A</small><b>C &amp; c</b><span>D</span>"
          + #"<img src="https://a.test/i.png" alt="" loading="lazy" referrerpolicy="no-referrer"></a></article>"#
          + "\n"))
  }

  @Test func `an image has the size and the text that its row declares`() throws {
    let html = try page(
      #"{"url":"https://a.test/b","card":{"image":"https://a.test/i.png","image_width":1200,"image_height":630,"image_alt":"A \"ship\""}}"#
    )
    #expect(
      html.contains(
        #"<img src="https://a.test/i.png" alt="A &quot;ship&quot;" width="1200" height="630" loading="lazy" referrer"#
      ))
  }

  @Test func `a page without a card has its host and its address`() throws {
    #expect(
      try page(#"{"input":"https://a.test/b.pdf","url":"https://a.test/b.pdf"}"#).hasSuffix(
        #"<a class="card" href="https://a.test/b.pdf" rel="noopener noreferrer"><small>a.test</small>"#
          + "<b>https://a.test/b.pdf</b></a></article>\n"))
  }

  @Test func `a card without a title has the page's`() throws {
    let html = try page(
      #"{"input":"https://a.test/b","url":"https://a.test/b","title":"T","card":{"site_name":"A"}}"#)
    #expect(html.contains("<small>A</small><b>T</b>"))
  }

  @Test func `a failure is told apart from pages`() throws {
    let html = try page(
      #"{"input":"http://a.test/","url":"http://a.test/","error":{"kind":"dns","message":"no <such> host"}}"#)
    #expect(
      html.hasSuffix(
        #"<article class="failed"><p>http://a.test/</p><div class="card"><b>DNS</b>"#
          + "<span>no &lt;such&gt; host</span></div></article>\n"))
    #expect(html.contains(".failed { order: 2 }") && html.contains("--panel: #1d2128"))
  }

  @Test func `what pages say neither runs nor leads anywhere but to the web`() throws {
    let html = try page(
      #"{"input":"\"><script>alert(1)</script>","url":"javascript:alert(1)","title":"</b><script>","card":{"image":"data:image/png;base64,AA","site_name":"\u202ex"}}"#
    )
    #expect(!html.contains("<script") && !html.contains("javascript:alert(1)\"") && !html.contains("<img"))
    #expect(html.contains("<small>\u{FFFD}x</small>"))
    #expect(html.contains("default-src 'none'"))
  }

  @Test func `the page is a file of its own`() throws {
    #expect(try outputPlan(["title", "--html", "p.html"]).targets == [.standardOutput, .file("p.html")])
    for words in [["--html", ""], ["--html", "rows", "-o", "rows"]] {
      #expect(throws: UsageError.self) { try outputPlan(["title"] + words) }
    }
  }
}
