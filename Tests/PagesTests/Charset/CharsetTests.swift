import Testing

@testable import Pages

struct CharsetTests {
  @Test(arguments: [
    ("UTF-8", "utf-8"), (" utf8\n", "utf-8"), ("iso-8859-1", "windows-1252"), ("Latin1", "windows-1252"),
    ("us-ascii", "windows-1252"), ("iso-8859-9", "windows-1254"), ("gb2312", "gbk"), ("x-gbk", "gbk"),
    ("GB18030", "gb18030"), ("x-sjis", "shift_jis"), ("Windows-31J", "shift_jis"),
    ("ks_c_5601-1987", "euc-kr"),
    ("x-x-big5", "big5"), ("koi", "koi8-r"), ("tis-620", "windows-874"), ("utf-16", "utf-16le"),
    ("unicodefffe", "utf-16be"), ("iso-2022-kr", "replacement"), ("logical", "iso-8859-8-i"),
    ("mac", "macintosh"), ("cp866", "ibm866"), ("x-mac-ukrainian", "x-mac-cyrillic"),
    ("x-user-defined", "x-user-defined"), ("iso_8859-2:1987", "iso-8859-2"),
  ])
  func `a label means an encoding`(label: String, name: String) {
    #expect(Charset(label: label)?.rawValue == name)
  }

  @Test(arguments: ["", " ", "utf-7", "utf-32", "utf 8", "latin", "nonsense-label-that-is-far-too-long"])
  func `an unknown label means nothing`(label: String) {
    #expect(Charset(label: label) == nil)
  }

  @Test(arguments: Charset.allCases)
  func `every encoding is known by its own name`(charset: Charset) {
    #expect(Charset(label: charset.rawValue) == charset)
  }

  @Test(arguments: [
    ("a mark before all else", "\u{FEFF}<meta charset=koi8-r>", "text/html; charset=big5", "utf-8"),
    ("HTTP before the page", "<meta charset=koi8-r>", "text/html; charset=\"Big5\"", "big5"),
    ("spaces in HTTP", "", "text/html;charset = euc-kr ; x=y", "euc-kr"),
    ("an unknown charset in HTTP", "<meta charset=koi8-r>", "text/html; charset=foo", "koi8-r"),
    ("a meta charset", "<html><head><META CharSet = 'Shift_JIS'>", "text/html", "shift_jis"),
    (
      "a pragma", "<meta content='text/html; charset=euc-jp' http-equiv=Content-Type>", "text/html", "euc-jp"
    ),
    ("content without a pragma", "<meta content='text/html; charset=euc-jp'>", "text/html", "utf-8"),
    ("UTF-16 that could be read", "<meta charset=utf-16be>", "text/html", "utf-8"),
    ("a user-defined meta", "<meta charset=x-user-defined>", "text/html", "windows-1252"),
    ("a comment", "<!-- <meta charset=big5> --><meta charset=gbk>", "text/html", "gbk"),
    ("an attribute", "<p title='<meta charset=big5>'><meta charset=gbk>", "text/html", "gbk"),
    ("the first of two", "<meta charset=gbk><meta charset=big5>", "text/html", "gbk"),
    ("an XML declaration", "<?xml version='1.0' encoding='iso-8859-2'?><x/>", "text/xml", "iso-8859-2"),
    ("JSON", "{\"a\": \"<meta charset=big5>\"}", "application/json", "utf-8"),
    ("nothing", "<p>é", "text/html", "utf-8"),
  ])
  func `the charset is found by`(source: String, body: String, contentType: String, name: String) {
    #expect(sniffed(Array(body.utf8), contentType) == name)
  }

  @Test(arguments: [
    ("its declaration", "\(declaration)\(meta)", "application/xhtml+xml", "iso-8859-2"),
    ("its declaration, by the look of it", "\(declaration)<html>\(meta)", nil, "iso-8859-2"),
    ("its declaration, in a feed", "\(declaration)<rss/>\(meta)", "application/rss+xml", "iso-8859-2"),
    ("HTTP first", "\(declaration)\(meta)", "application/xhtml+xml; charset=big5", "big5"),
    ("a mark first", "\u{FEFF}\(declaration)\(meta)", "application/xml; charset=big5", "utf-8"),
    ("UTF-8 without any", "<?xml version='1.0'?><html>\(meta)é", "application/xhtml+xml", "utf-8"),
    ("UTF-8 without one in a page", "<html>\(meta)é", "application/xhtml+xml", "utf-8"),
    ("what HTML has first", "\(declaration)\(meta)", "text/html", "koi8-r"),
    ("what HTML has at last", "\(declaration)<p>", "text/html", "iso-8859-2"),
  ])
  func `the charset of XML is`(what: String, body: String, contentType: String?, name: String) {
    #expect(sniffed(Array(body.utf8), contentType) == name)
    #expect(read(body, contentType: contentType).charset == name)
  }

  private static let declaration = "<?xml version='1.0' encoding='iso-8859-2'?>"
  private static let meta = "<meta charset='koi8-r'/>"

  @Test func `broken XML is read by what its meta says`() {
    let facts = read(
      Array("<html><meta charset='koi8-r'/><title>".utf8) + bytes(hex: "f2d5d3")
        + Array("</title></html>".utf8),
      contentType: "application/xhtml+xml")
    #expect(facts.title == "Рус")
    #expect(facts.charset == "koi8-r")
  }

  @Test(arguments: [
    ("invalid UTF-8", "3c703ee9", "windows-1252"),
    ("UTF-8 that was cut off", "3c703ec3a9c3", "utf-8"),
    ("a little-endian mark", "fffe3c00", "utf-16le"),
    ("a big-endian mark", "feff003c", "utf-16be"),
    ("little-endian without a mark", "3c0070003e00", "utf-16le"),
    ("big-endian without a mark", "003c0070003e", "utf-16be"),
    ("nothing at all", "", "utf-8"),
  ])
  func `bytes tell the charset by`(source: String, hex: String, name: String) {
    #expect(sniffed(bytes(hex: hex), "text/html") == name)
  }

  @Test func `a declaration behind the first 1024 bytes still counts`() {
    let late = String(repeating: " ", count: 2_000) + "<meta charset=windows-1251><title>"
    let facts = read(Array(late.utf8) + bytes(hex: "cff0e8e2e5f2"))
    #expect(facts.title == "Привет")
    #expect(facts.charset == "windows-1251")
  }

  @Test func `a page in a legacy charset is read beyond its first part`() {
    let filler = String(repeating: "<meta name=x content=y>", count: 4_000)
    let body = Array("<meta charset=koi8-r>\(filler)<title>".utf8) + bytes(hex: "f2d5d3d3cbc9ca")
    #expect(read(body).title == "Русский")
  }

  @Test(arguments: [
    ("shift_jis", "93fa967b", "日本"), ("gb18030", "95328236", "𠀀"), ("euc-jp", "8fb0a1", "丂"),
    ("big5", "c163c5e9", "繁體"),
  ])
  func `a character may lie where the first part of a page ends`(name: String, hex: String, title: String) {
    for before in [4_096, 16_384, 65_536].flatMap({ $0 - 4...$0 }) {
      let start = Array("<meta charset=\(name)>".utf8)
      let filler = [UInt8](repeating: 0x20, count: before - start.count - 7)
      #expect(read(start + filler + Array("<title>".utf8) + bytes(hex: hex)).title == title, "\(before)")
    }
  }

  @Test(arguments: [4_050, 4_080, 4_090, 4_095, 4_100, 16_384, 65_536])
  func `a title in the body may lie where the first part of a page ends`(before: Int) {
    let start = Array("<meta charset=windows-1251><body>".utf8)
    let filler = [UInt8](repeating: 0x20, count: before - start.count)
    let page = start + filler + Array("<title>A title of some length</title><p>\(before)".utf8)
    #expect(read(page).title == "A title of some length")
    #expect(read(page).charset == "windows-1251")
  }

  @Test(arguments: [
    ("text/html", ContentKind.html), (" Text/HTML ;charset=x", .html), ("text / html,x", .html),
    ("application/xhtml+xml", .xhtml),
    ("text/xml", .xml), ("image/svg+xml", .xml), ("application/rss+xml", .xml), ("application/json", .json),
    ("application/vnd.api+json; v=1", .json), ("text/plain", .text),
    ("application/pdf", .other("application/pdf")),
    ("IMAGE/PNG", .other("image/png")),
  ])
  func `a content type names a kind`(contentType: String, kind: ContentKind) {
    #expect(ContentKind.of(contentType: contentType, body: []) == kind)
  }

  @Test(arguments: [
    (" \n<!DOCTYPE HTML>", ContentKind.html), ("<html>", .html), ("<Title>x", .html), ("<!-- x", .html),
    ("\u{FEFF}<p>", .html), ("<?xml version='1.0'?><rss>", .xml),
    ("<?xml version='1.0'?><html xmlns='x'>", .xhtml),
    ("<svg xmlns='x'>", .xml), (" {\"a\":1}", .json), ("[1]", .json), ("plain words", .text), ("", .text),
    ("%PDF-1.7", .other("application/pdf")), ("GIF89a", .other("image/gif")),
    ("a\0b", .other("application/octet-stream")),
  ])
  func `without a content type the bytes tell`(body: String, kind: ContentKind) {
    for contentType in [nil, "", "nonsense", "*/*"] {
      #expect(ContentKind.of(contentType: contentType, body: Array(body.utf8)) == kind)
    }
  }

  @Test func `what is no markup yields no facts`() {
    #expect(read("<title>x</title>", contentType: "text/plain") == PageFacts())
    #expect(read("<title>x</title>", contentType: "image/png") == PageFacts())
  }
}

private func sniffed(_ body: [UInt8], _ contentType: String?) -> String {
  let kind = ContentKind.of(contentType: contentType, body: body)
  return Charset.sniff(body.span, contentType: contentType, kind: kind).charset.rawValue
}
