import Foundation
import JSONQuery
import Testing

@testable import HalyardCLI

/// The page of what a run gathered.
struct GatheredPageTests {
  private func page(_ json: String) throws -> GatheredPage {
    GatheredPage(value: try JSONDocument(parsing: Array(json.utf8)).root, title: "mine")
  }

  /// What stands in the elements of a page.
  private func contents(of element: String, in html: String) -> [String] {
    html.components(separatedBy: "<\(element)>").dropFirst().map { part in
      part.components(separatedBy: "</\(element)>")[0]
    }
  }

  @Test func `sections keep their order, and items their pictures`() throws {
    let page = try page(
      #"{"sections":[{"id":"b","title":"Books","items":[{"name":"One","artistName":"Ann","artworkUrl100":"http://a.test/1.png","url":"https://a.test/1"}]},{"id":"a","items":[]}]}"#
    )
    let html = page.html
    #expect(contents(of: "h2", in: html) == ["Books", "a"])
    #expect(html.contains(#"<li><a href="https://a.test/1"><img src="http://a.test/1.png" alt="""#))
    #expect(html.contains("<b>One</b><small>Ann</small>"))
    #expect(html.contains("<p>No items.</p>"))
  }

  @Test(arguments: [
    (#"{"users":[{"first_name":"Ada","last_name":"Anchor","email":"a@a.test"}]}"#, "users", "Ada Anchor"),
    (#"[{"title":"T"}]"#, "", "T"), ("[7]", "", "7"), (#"["x"]"#, "", "x"),
    (#"{"all":[{"id":3}]}"#, "all", "3"),
  ])
  func `what has no sections is shown by its arrays`(json: String, title: String, name: String) throws {
    let html = try page(json).html
    #expect(contents(of: "h2", in: html) == (title.isEmpty ? [] : [title]))
    #expect(contents(of: "b", in: html) == [name])
  }

  @Test func `nested objects and lists are shown below their items, and as sections`() throws {
    let html = try page(
      #"{"users":[{"name":"Ada","address":{"city":"Cork","tags":["a",2,{"b":null}]}},["x",["y"]]],"totals":{"all":{"n":1.50}}}"#
    ).html
    #expect(
      html.contains(
        "<li><b>Ada</b><dl><dt>address</dt><dd><dl><dt>city</dt><dd>Cork</dd><dt>tags</dt><dd><ol><li>a</li>"
          + "<li>2</li><li><dl><dt>b</dt><dd>null</dd></dl></li></ol></dd></dl></dd></dl></li>"))
    #expect(html.contains("<ol><li>x</li><li><ol><li>y</li></ol></li></ol>"))
    #expect(html.contains("<h2>totals</h2>\n<dl><dt>all</dt><dd><dl><dt>n</dt><dd>1.50</dd></dl></dd></dl>"))
  }

  @Test func `what is nested deep or long is bounded`() throws {
    let deep = String(repeating: "[", count: 400) + String(repeating: "]", count: 400)
    let long = "[" + Array(repeating: "7", count: 1_000).joined(separator: ",") + "]"
    let html = try page(#"{"o":{"deep":\#(deep),"long":\#(long),"<b>":"<i>"}}"#).html
    #expect(html.components(separatedBy: "<ol>").count < 10)
    #expect(html.contains("<li>… 800 more</li>"))
    #expect(html.contains("<dt>&lt;b&gt;</dt><dd>&lt;i&gt;</dd>"))
  }

  @Test(arguments: ["7", "{}", "null"])
  func `what has nothing to show says so`(json: String) throws {
    #expect(try page(json).html.contains("Nothing was gathered"))
  }

  @Test(arguments: [
    "javascript:alert(1)", "data:image/png;base64,AA", "/relative", "//a.test/x", "file:///etc/passwd",
  ])
  func `only web addresses are linked and loaded`(address: String) throws {
    let html = try page(#"[{"name":"x","url":"\#(address)","image":"\#(address)"}]"#).html
    #expect(!html.contains("<a "))
    #expect(!html.contains("<img"))
  }

  @Test func `nothing of a value becomes markup`() throws {
    let html = try page(
      #"{"<b>":[{"name":"<script>alert('1')</script>\"&","url":"http://a.test/\"><i>","description":"<x>"}]}"#
    ).html
    #expect(!html.contains("<script"))
    #expect(!html.contains("<i>"))
    #expect(!html.contains("<x>"))
    #expect(html.contains("<h2>&lt;b&gt;</h2>"))
    #expect(html.contains("&lt;script&gt;alert('1')&lt;/script&gt;&quot;&amp;"))
  }

  @Test func `nothing of a value reorders the page or controls a screen that shows it`() throws {
    for attack in ScreenTests.attacks {
      let html = GatheredPage(
        value: try JSONDocument(parsing: Array(#"[{"name":"x"}]"#.utf8)).root, title: "a\(attack)b"
      ).html
      #expect(html.contains("<h1>a\u{FFFD}b</h1>") || attack == "\r" && html.contains("<h1>a b</h1>"))
    }
  }
}
