import Testing

@testable import HalyardCLI

@Suite struct TextLinksTests {
  static let sentences: [(text: String, links: [String])] = [
    ("See https://a.test/x. And (http://b.test/y)!", ["1:5 https://a.test/x", "1:28 http://b.test/y"]),
    ("é https://a.test/\n\n  HTTPS://B.test", ["1:3 https://a.test/", "3:3 HTTPS://B.test"]),
    ("https://a.test/x_(y) [https://b.test/z]", ["1:1 https://a.test/x_(y)", "1:23 https://b.test/z"]),
    ("(https://a.test/x)y https://a.test/(z", ["1:2 https://a.test/x", "1:21 https://a.test/(z"]),
    (
      "\"https://a.test/\" <https://b.test/?q=1&r=2,>",
      ["1:2 https://a.test/", "1:20 https://b.test/?q=1&r=2"]
    ),
    ("「https://a.test/」、“https://b.test/”", ["1:2 https://a.test/", "1:20 https://b.test/"]),
    ("https://a.test/*x* **https://b.test/**", ["1:1 https://a.test/*x", "1:22 https://b.test/"]),
    ("xhttps://a.test http:// https://... http://{host}/ ftp://a.test mailto:a@b.test a.test", []),
    ("http://[::1]:8080/x]", ["1:1 http://[::1]:8080/x"]),
    ("https://a.test/a,b;c:d'e", ["1:1 https://a.test/a,b;c:d'e"]), ("", []), ("https://", []), ("http:", []),
  ]

  @Test(arguments: sentences)
  func `links are found in running text without what stands around them`(row: (text: String, links: [String]))
  {
    #expect(links(row.text, as: .text) == row.links)
  }

  @Test func `a link of a text that is not UTF-8 fails`() {
    let bytes = Array("é https://a.test/".utf8) + [0xFF, 0x0A]
    #expect(read([bytes], as: .text).problems == ["line 1 is not UTF-8"])
  }

  @Test func `text in another encoding is converted`() {
    #expect(read([utf16("é https://a.test/é", isBigEndian: true)], as: .text).urls == ["https://a.test/é"])
    #expect(read([[0xE9] + Array(" https://a.test/".utf8) + [0xE9]], as: .text).urls == ["https://a.test/é"])
  }

  @Test func `a link that is too long fails and shows its beginning`() {
    let yield = read("https://a.test/" + String(repeating: "x", count: 70_000), as: .text)
    #expect(yield.problems == ["line 1 is longer than 64KiB"])
    #expect(yield.urls.first??.count == 201)
  }

  @Test func `a document over the limit is refused`() {
    let piece = [UInt8](repeating: 0x20, count: 1 << 20)
    #expect(
      read(Array(repeating: piece, count: 65), as: .html).fault == InputError("links", "is longer than 64MiB")
    )
    #expect(
      read(Array(repeating: piece, count: 5), as: .markdown).fault
        == InputError("links", "is longer than 4MiB"))
  }
}
