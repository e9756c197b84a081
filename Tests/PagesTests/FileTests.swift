import Pages
import Testing

struct PDFTitleTests {
  private func title(_ pdf: String) -> String? { title(Array(pdf.utf8)) }

  private func title(_ pdf: [UInt8]) -> String? {
    let facts = read(pdf, contentType: "application/pdf")
    #expect((facts.title == nil) == (facts.titleSource == nil))
    #expect(facts.titleSource == nil || facts.titleSource == .document)
    return facts.title
  }

  /// A document whose information dictionary has that value as its title.
  private func pdf(_ value: String) -> [UInt8] {
    Array(
      "%PDF-1.4\n5 0 obj\n<</Author (no)/Title \(value)>>\nendobj\ntrailer\n<</Root 1 0 R/Info 5 0 R>>".utf8)
  }

  @Test(arguments: [
    ("(Plain)", "Plain"),
    ("( white \\n space\r\n\there )", "white space here"),
    ("(a \\(b\\) (c (d)) \\\\)", "a (b) (c (d)) \\"),
    ("(\\101\\7\\053x\\1012)", "A\u{7}+xA2"),
    ("(a\\\nb\\\r\nc\\qd)", "abcqd"),
    ("(<</Title (no)>>)", "<</Title (no)>>"),
    ("<48 65 6C6c6F>", "Hello"),
    ("<4>", "@"),
    ("<FEFF00C400D6D83DDE00>", "ÄÖ😀"),
    ("<FEFF001B0065006E001B0041>", "A"),
    ("<FFFEC400>", "Ä"),
    ("<EFBBBFC384>", "Ä"),
    ("<8485A0919218E4>", "—–€‚™˘ä"),
    ("% a comment ) (\n (after a comment)", "after a comment"),
    ("(unclosed", "unclosed>> endobj trailer <</Root 1 0 R/Info 5 0 R>>"),
  ])
  func `a title is read as PDF writes strings`(value: String, expected: String) {
    #expect(title(pdf(value)) == expected)
  }

  @Test(arguments: ["()", "( )", "<>", "<zz>", "null", "/Name", "[(no)]", "<</Title (no)>>", "9 0 R", ""])
  func `what is no string is no title`(value: String) {
    #expect(title(pdf(value)) == nil)
  }

  @Test(arguments: [
    (
      "a title in an object of its own",
      "6 0 obj (T) endobj 5 0 obj<</Title 6 0 R>>endobj trailer<</Info 5 0 R>>"
    ),
    (
      "the last version of an object",
      "5 0 obj<</Title(no)>>endobj 5 0 obj<</Title(T)>>endobj trailer<</Info 5 0 R>>"
    ),
    (
      "the last trailer",
      "4 0 obj<</Title(no)>>endobj 5 0 obj<</Title(T)>>endobj trailer<</Info 4 0 R>> trailer<</Info 5 0 R>>"
    ),
    ("a stream of cross references", "5 0 obj<</Title(T)>>endobj 9 0 obj<</Type/XRef/Info 5 0 R>>stream"),
    (
      "a longer number beside it",
      "15 0 obj<</Title(no)>>endobj 5 0 obj<</Title(T)>>endobj 25 0 obj<<>> trailer<</Info 5 0 R>>"
    ),
    (
      "a title of something else",
      "5 0 obj<</A<</Title(no)>>/B[<</Title(no)>>]/Title(T)>>endobj trailer<</Info 5 0 R>>"
    ),
    ("another generation", "5 0 obj<</Title(no)>>endobj 5 3 obj<</Title(T)>>endobj trailer<</Info 5 3 R>>"),
    (
      "XMP",
      "<rdf:RDF><dc:title><rdf:Alt><rdf:li xml:lang='x-default'> T </rdf:li><rdf:li>no</rdf:li></rdf:Alt></dc:title>"
    ),
    ("XMP behind a blank title", "5 0 obj<</Title()>>endobj trailer<</Info 5 0 R>> <dc:title>T</dc:title>"),
    ("XMP in CDATA", "<dc:title><![CDATA[T]]></dc:title>"),
  ])
  func `a title is found in`(place: String, pdf: String) {
    #expect(title("%PDF-1.7 \(pdf)") == "T")
  }

  @Test(arguments: [
    "", "%PDF-1.7", "trailer<</Info 5 0 R>>", "5 0 obj<</Title(no)>>",
    "trailer<</Info 5 0>> 5 0 obj<</Title(no)>>",
    "5 0 obj<</Title(no)>>endobj trailer<</Info 5 0 R/Encrypt 7 0 R>><dc:title>no</dc:title>",
    "5 0 obj(no) trailer<</Info 5 0 R>>", "trailer<</Info 99999999999999999999 0 R>>", "<dc:title>no",
    "5 0 obj<</Title 5 0 R>> trailer<</Info 5 0 R>>", "<dc:title></dc:title>",
  ])
  func `no title is found in`(pdf: String) {
    #expect(title(pdf) == nil)
  }

  @Test func `long strings and deep nesting cost no more than their length`() {
    let long = title(pdf("(" + String(repeating: "ab ", count: 300_000) + ")"))
    #expect((1_990...2_000).contains(long?.utf8.count ?? 0))
    for piece in ["<<", "[", "(", "5 0 obj", "/Info 5 0 R", "/Title", "<dc:title>", "%", "\\"] {
      #expect((title(pdf(String(repeating: piece, count: 20_000)))?.utf8.count ?? 0) <= 2_000)
    }
  }
}

struct FileNameTests {
  @Test(arguments: [
    (#"attachment; filename="a b.pdf""#, "a b.pdf"),
    ("attachment; filename=a.pdf", "a.pdf"),
    ("inline;FILENAME=a.pdf ; size=1", "a.pdf"),
    ("attachment; filename=a b.pdf", "a b.pdf"),
    (#"attachment; filename="a\"b\\c.pdf""#, "c.pdf"),
    (#"attachment; filename="a;b=c.pdf"; x=y"#, "a;b=c.pdf"),
    (#"attachment; filename="unclosed.pdf"#, "unclosed.pdf"),
    (#"attachment; x="filename=no.pdf"; filename=a.pdf"#, "a.pdf"),
    ("attachment; filename*=UTF-8''na%C3%AFve%20file.pdf", "naïve file.pdf"),
    ("attachment; filename*=utf-8'en'%e2%82%ac.pdf", "€.pdf"),
    ("attachment; filename*=ISO-8859-1''%A3.pdf", "£.pdf"),
    ("attachment; filename=no.pdf; filename*=UTF-8''%C3%A4.pdf", "ä.pdf"),
    ("attachment; filename*=UTF-8''%C3%A4.pdf; filename=no.pdf", "ä.pdf"),
    ("attachment; filename=a.pdf; filename*=UTF-8''%FF", "a.pdf"),
    ("attachment; filename=a.pdf; filename*=KOI8-R''%C3", "a.pdf"),
    ("attachment; filename=a.pdf; filename*=broken", "a.pdf"),
    ("attachment; filename=a.pdf; filename=no.pdf", "a.pdf"),
    ("attachment; filename=na%C3%AFve.pdf", "naïve.pdf"),
    ("attachment; filename=\"naïve.pdf\"", "naïve.pdf"),
    (#"attachment; filename="../../etc/passwd""#, "passwd"),
    (#"attachment; filename="C:\dir\a.pdf""#, "a.pdf"),
    ("attachment; filename*=UTF-8''..%2F..%2Fa.pdf", "a.pdf"),
    ("attachment; filename=\".hidden.\"", "hidden"),
    ("attachment; filename*=UTF-8''a%00b%0D%0A.pdf", "ab.pdf"),
    ("attachment; filename*=UTF-8''a%E2%80%AEfdp.exe", "afdp.exe"),
    ("filename=no.pdf", "path.bin"),
    ("attachment; filename=", "path.bin"),
    (#"attachment; filename="..""#, "path.bin"),
    ("attachment", "path.bin"),
    (";;;=;\"", "path.bin"),
    ("", "path.bin"),
  ])
  func `a file is named by its header`(header: String, name: String) {
    #expect(FileName.of(contentDisposition: header, path: "/dir/path.bin") == name)
  }

  @Test(arguments: [
    ("/a.pdf", "a.pdf"), ("/dir/na%C3%AFve%20a.pdf", "naïve a.pdf"), ("/a%2Fb.pdf", "b.pdf"), ("/", nil),
    ("", nil),
    ("/dir/", nil), ("/%FF", nil), ("/..", nil), ("/%20", nil), ("/100%", "100%"),
  ])
  func `else by the last part of the path`(path: String, name: String?) {
    #expect(FileName.of(contentDisposition: nil, path: path) == name)
  }

  @Test func `a long name is cut`() {
    let header = "attachment; filename=" + String(repeating: "ä", count: 3_000)
    #expect(FileName.of(contentDisposition: header, path: "")?.utf8.count == 254)
    let dotted = "attachment; filename=" + String(repeating: "a", count: 250) + ".....b"
    #expect(FileName.of(contentDisposition: dotted, path: "")?.utf8.count == 250)
  }
}

struct ContentSniffingTests {
  @Test(arguments: [
    ("%PDF-1.7", "application/pdf"), ("%!PS-Adobe-3.0", "application/postscript"), ("GIF87a", "image/gif"),
    ("GIF89a", "image/gif"), ("RIFF\u{1}\u{2}\u{3}\u{4}WEBPVP8 ", "image/webp"), ("BM", "image/bmp"),
    ("RIFF1234WAVE", "audio/wave"), ("RIFF1234AVI ", "video/avi"), ("FORM1234AIFF", "audio/aiff"),
    ("ID3", "audio/mpeg"),
    ("OggS\0", "application/ogg"), ("MThd\0\0\0\u{6}", "audio/midi"), ("PK\u{3}\u{4}", "application/zip"),
    ("Rar!\u{1A}\u{7}\0", "application/x-rar-compressed"), ("wOFF", "font/woff"), ("wOF2", "font/woff2"),
    ("\0\0\u{1}\0", "image/x-icon"), ("\0\0\0\u{18}ftypmp42", "video/mp4"),
    ("\0\0\0\u{18}ftypisom\0\0\0\0mp41", "video/mp4"),
    ("\0\0\0\u{18}ftypheic\0\0\0\0mif1mif1", "application/octet-stream"),
    ("\u{1}\u{2}", "application/octet-stream"),
    ("hello", "text/plain"), ("", "text/plain"), (" {\"a\":1}", "application/json"),
    ("<!DOCTYPE HTML>", "text/html"),
    (" \n<HtMl>", "text/html"), ("<!-- x", "text/html"), ("<title>", "text/html"), ("<titles>", "text/plain"),
    ("<?xml version='1.0'?><rss>", "text/xml"), ("<?xml?><html>", "application/xhtml+xml"),
    ("<svg>", "text/xml"),
    ("\u{FEFF}<html>", "text/html"), ("\u{FEFF}x", "text/plain"),
  ])
  func `a body without a type is known by its first bytes`(body: String, type: String) {
    #expect(ContentKind.of(contentType: nil, body: Array(body.utf8)).mediaType == type)
  }

  @Test(
    arguments: [
      ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "image/png"), ([0xFF, 0xD8, 0xFF], "image/jpeg"),
      ([0x1F, 0x8B, 0x08], "application/x-gzip"), ([0x89, 0x50, 0x4E, 0x47], "text/plain"),
      (Array("\u{1A}E".utf8) + [0xDF, 0xA3] + Array("\u{1}webm".utf8), "video/webm"),
    ] as [([UInt8], String)])
  func `bytes that are no text too`(body: [UInt8], type: String) {
    #expect(ContentKind.of(contentType: nil, body: body).mediaType == type)
  }
}
