import Testing

@testable import Pages

struct ReferenceTests {
  @Test(arguments: [
    ("&amp;", "&"),
    ("&amp;lt;", "&lt;"),
    ("&AMP &lt &copy2", "& < ©2"),
    ("&notit; &notin; &not;", "¬it; ∉ ¬"),
    ("&CounterClockwiseContourIntegral;", "∳"),
    ("&CounterClockwiseContourIntegra", "&CounterClockwiseContourIntegra"),
    ("&acE;", "∾̳"),
    ("&hellip &hellip;", "&hellip …"),
    ("&unknown; & &; &#; &#x; &#xg;", "&unknown; & &; &#; &#x; &#xg;"),
    ("&#65;&#x42;&#X43;&#68 &#x1F600;", "ABCD 😀"),
    ("&#146;&#x80;&#x81;!", "’€\u{81}!"),
    ("&#0;&#xD800;&#x110000;&#99999999999999999999;", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
    ("a&nbsp;b&#32;&Tab;c", "a\u{A0}b c"),
  ])
  func `references in text are decoded once`(source: String, expected: String) {
    #expect(read("<title>\(source)</title>").title == expected)
  }

  @Test(arguments: [
    ("?a=1&copy=2", "?a=1&copy=2"),
    ("?a=1&copyx", "?a=1&copyx"),
    ("a &copy b", "a © b"),
    ("a &copy;=b", "a ©=b"),
    ("&notit;", "&notit;"),
    ("&amp;amp;", "&amp;"),
  ])
  func `in attributes an unfinished name is left alone`(source: String, expected: String) {
    #expect(read("<meta name=description content=\"\(source)\">").card[.description] == expected)
  }

  @Test func `the table is whole`() {
    #expect(NamedReferences.standard.count == 2_125)
  }

  @Test func `106 names need no semicolon`() {
    #expect(namedReferenceTable.utf8.count { $0 == UInt8(ascii: ",") } == 106)
  }

  @Test func `every name is read as the oracle reads it, finished or not`() {
    for word in namedReferenceTable.split(whereSeparator: \.isWhitespace) {
      let name = word.prefix { $0 != ";" && $0 != "," }
      let text = "&\(name); &\(name) &\(name)x &\(name)= &\(name)."
      let html = "<title>.\(text)</title><meta name=description content='.\(text)'>"
      #expect(Comparison(Array(html.utf8)).differences == [])
    }
  }

  @Test func `numbers are read as the oracle reads them, in any writing`() {
    let numbers =
      Array(0...0x100) + Array(0xD7F0...0xD810) + Array(0xDFF0...0xE010) + Array(0xFDC0...0xFE00)
      + Array(stride(from: 0x200, through: 0x11_0000, by: 0x1FF))
    for number in numbers {
      let hex = String(number, radix: 16)
      for reference in ["&#\(number);", "&#x\(hex);", "&#X\(hex.uppercased()) ", "&#\(number)"] {
        let html = "<title>.\(reference).</title><meta name=description content='.\(reference).'>"
        #expect(Comparison(Array(html.utf8)).differences == [], "\(reference)")
      }
    }
  }

  @Test func `every name of the table is found and means what it says`() {
    for word in namedReferenceTable.split(whereSeparator: \.isWhitespace) {
      let parts = word.split { $0 == ";" || $0 == "," }
      let name = Array("\(parts[0]);".utf8)
      let scalars = parts[1].split(separator: "+").compactMap { UInt32($0, radix: 16) }
      let match = NamedReferences.standard.longestMatch(in: name.span, from: 0, to: name.count)
      #expect(match?.length == name.count, "\(word)")
      #expect([match?.first.value, match?.second?.value].compactMap { $0 } == scalars, "\(word)")
    }
  }
}
