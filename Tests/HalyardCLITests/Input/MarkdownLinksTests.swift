import Testing

@testable import HalyardCLI

@Suite struct MarkdownLinksTests {
  @Test func `links, images and addresses have their place and their text`() {
    let notes = """
      # Head [h](https://h.test/)

      Para [a *b*](https://a.test/) and <https://auto.test/> and https://bare.test/x?y=1.
      é [u](https://u.test/ "t") ![img](https://i.test/p.png) `code
      [no](https://no.test/) span` then [c][ref] and [multi
      line](https://multi.test/) [after](https://after.test/) www.foo.test

          [code](https://no.test/)

      | t | u |
      |---|---|
      | [t](https://t.test/) | https://t2.test/ |

      [![alt](https://badge.test/x.svg)](https://badge.test/)[ref]

      [ref]: https://ref.test/ "title"
      [unused]: https://unused.test/
      """
    #expect(
      links(notes, as: .markdown) == [
        "1:8 https://h.test/ h", "3:6 https://a.test/ a b", "3:35 https://auto.test/ https://auto.test/",
        "3:60 https://bare.test/x?y=1 https://bare.test/x?y=1", "4:3 https://u.test/ u",
        "4:28 https://i.test/p.png img",
        "5:35 https://ref.test/ c", "5:48 https://multi.test/ multi line", "6:28 https://after.test/ after",
        "6:57 http://www.foo.test www.foo.test", "12:3 https://t.test/ t",
        "12:26 https://t2.test/ https://t2.test/",
        "14:1 https://badge.test/ alt", "14:2 https://badge.test/x.svg alt", "14:56 https://ref.test/ ref",
      ])
  }

  @Test func `blocks inside blocks, and lines that continue them, have the right places`() {
    let notes = """
      > quote [q](https://q.test/)
      > next https://q2.test/ [q3](https://q3.test/)
      lazy [q4](https://q4.test/)

      - item [l](https://l.test/)
        1. deep https://l2.test/
           > more [l3](https://l3.test/)
      - [x] task <https://l4.test/>

      Note[^1]. [after][r]

      [^1]: note [n](https://n.test/)

      [r]: <https://r.test/a b>
      """
    #expect(
      links(notes, as: .markdown) == [
        "1:9 https://q.test/ q", "2:8 https://q2.test/ https://q2.test/", "2:25 https://q3.test/ q3",
        "3:6 https://q4.test/ q4", "5:8 https://l.test/ l", "6:11 https://l2.test/ https://l2.test/",
        "7:13 https://l3.test/ l3", "8:12 https://l4.test/ https://l4.test/",
        "10:11 https://r.test/a b after",
        "12:12 https://n.test/ n",
      ])
  }

  @Test func `HTML in Markdown has links, too`() {
    let notes = """
      <div align=center><a href="https://a.test/">One</a>
      <img src="https://a.test/i.png"></div>

      text <a href='https://b.test/'>two</a> <!-- <a href=https://no.test/> --> <br>
      """
    #expect(
      links(notes, as: .markdown) == [
        "1:28 https://a.test/ One", "2:11 https://a.test/i.png", "4:15 https://b.test/",
      ])
  }

  @Test func `a NUL moves no place, not even out of the document`() {
    let notes = "<b title=\"\0\0\0\0\0\0\0\">%<a href=\"http://a.test/\">x</a>\nd<i"
    #expect(links(notes, as: .markdown) == ["1:30 http://a.test/"])
  }

  @Test func `escapes and references are decoded`() {
    #expect(
      links(#"[a](https://a.test/\_x&amp;y) [](https://b.test/)"#, as: .markdown) == [
        "1:1 https://a.test/_x&y a", "1:31 https://b.test/",
      ])
  }

  @Test func `relative links start from the base, and those to mail and to the document itself are none`() {
    let notes = "[a](b.md) [c](#d) [e](mailto:f@g.test) h@i.test ![j](/k.png)"
    #expect(links(notes, as: .markdown) == ["1:1 relative b.md a", "1:49 relative /k.png j"])
    #expect(
      links(notes, as: .markdown, base: "https://a.test/d/") == [
        "1:1 https://a.test/d/b.md a", "1:49 https://a.test/k.png j",
      ])
  }

  @Test func `what would take the parser too much memory or time is refused`() {
    let copies =
      "[x]: /" + String(repeating: "a", count: 100_000) + "\n\n" + String(repeating: "[x]", count: 40_000)
    #expect(
      links(copies, as: .markdown) == [
        "takes more memory than a document of its size may; read it with --input-format text"
      ])
    let brackets = "https://a.test/" + String(repeating: ")", count: 1_001)
    #expect(
      links(brackets, as: .markdown) == [
        "has more than 1000 ')' that close nothing; read it with --input-format text"
      ])
    // The parser is as good as new.
    #expect(links("[a](https://a.test/)", as: .markdown) == ["1:1 https://a.test/ a"])
  }

  @Test(arguments: [
    "", "\n", "[", "](", "<", "![", "\u{0}[a](https://a.test/)", "[a](<", "\r\r[x](y", "[^1]: ",
  ])
  func `scraps are read to their end`(text: String) {
    _ = links(text, as: .markdown)
    _ = links(text, as: .html)
  }

  @Test func `deep nesting is read`() {
    let depth = 50_000
    let quotes = String(repeating: ">", count: depth) + " https://a.test/"
    #expect(links(quotes, as: .markdown).count == 1)
    let images = String(repeating: "![", count: depth) + String(repeating: "](https://a.test/)", count: depth)
    #expect(links(images, as: .markdown).count == depth)
    let elements = String(repeating: "<div>", count: depth) + "<a href=https://a.test/>"
    #expect(links(elements, as: .html).count == 1)
  }

  static let names: [(name: String, format: InputFormat)] = [
    ("notes.md", .markdown), ("NOTES.MD.gz", .markdown), ("a.markdown", .markdown), ("a.html", .html),
    ("a.htm", .html), ("a.xhtml.gz", .html), ("a.txt", .auto),
  ]

  @Test(arguments: names)
  func `names tell documents`(row: (name: String, format: InputFormat)) {
    #expect(InputFormat(ofFile: row.name) == row.format)
  }
}
