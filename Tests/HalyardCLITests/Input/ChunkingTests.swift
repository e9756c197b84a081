import Testing

@testable import HalyardCLI

/// An input whose jobs must not depend on how its bytes arrive.
struct ChunkedInput: CustomTestStringConvertible {
  var testDescription: String
  var bytes: [UInt8]
  var format = InputFormat.auto
  var keep: [String] = []

  init(_ name: String, _ bytes: [UInt8], as format: InputFormat = .auto, keep: [String] = []) {
    testDescription = name
    self.bytes = bytes
    self.format = format
    self.keep = keep
  }

  init(_ name: String, _ text: String, as format: InputFormat = .auto, keep: [String] = []) {
    self.init(name, Array(text.utf8), as: format, keep: keep)
  }
}

@Suite struct ChunkingTests {
  static let lines = "https://a.test/\r\n\n  https://b.test/ü \n#c\nhttps://d.test/"
  static let csv = """
    \u{FEFF}id,url,note\r
    1,https://a.test/,"says ""hi"", twice"\r
    "2","https://b.test/?a,b","two
    lines"

    3,,\r4,https://c.test/,"x"y
    5,https://d.test/,é,extra
    """
  static let jsonl = """
    {"url":"https://a.test/","ref":17}

    {"url":"https://b.test/","kind":"decode","select":"/a"}
    {"url":1}
    {"uri":"https://c.test/"}
    nonsense
    """

  static let inputs = [
    ChunkedInput("empty", ""),
    ChunkedInput("lines", lines),
    ChunkedInput("lines with byte order mark", "\u{FEFF}" + lines),
    ChunkedInput("bad UTF-8", Array("https://a.test/".utf8) + [0xFF, 0x0A, 0xC3, 0x0A]),
    ChunkedInput("part of a byte order mark", [0xEF, 0xBB]),
    ChunkedInput(
      "UTF-16", utf16("url,name\r\nhttps://a.test/,é😀\r\n", isBigEndian: false), as: .csv, keep: ["name"]),
    ChunkedInput("UTF-16, cut", [0xFF, 0xFE, 0x61, 0x00, 0x0A, 0x00, 0x3D, 0xD8, 0x01]),
    ChunkedInput("UTF-16, big-endian", utf16("https://a.test/é😀\nb", isBigEndian: true)),
    ChunkedInput("windows-1252", Array("https://a.test/".utf8) + [0xE9, 0x80, 0x0A, 0xC3, 0xA9, 0x0A]),
    ChunkedInput("a letter cut at the end", Array("https://a.test/".utf8) + [0xE2, 0x82]),
    ChunkedInput(
      "semicolons", "sep=;\r\nid;url;note\r\n1;https://a.test/;\"a;b\"\r\n", as: .csv, keep: ["all"]),
    ChunkedInput(
      "own TSV", "input\tstatus\ttitle\nhttps://a.test/\tok\t\"a\\tb\\\\\n", as: .tsv, keep: ["title"]),
    ChunkedInput("a table that nobody called one", "\n\nid,url\n1,https://a.test/\n"),
    ChunkedInput("CSV", csv, as: .csv, keep: ["note", "id"]),
    ChunkedInput("CSV with an open quote", csv + "\n\"6,https://e.test/\n\n", as: .csv),
    ChunkedInput("JSONL", jsonl),
    ChunkedInput("JSONL behind blanks", "\n \n" + jsonl),
    ChunkedInput("Markdown", "[é](https://a.test/é) https://b.test/", as: .markdown),
    ChunkedInput("HTML", "<a href=https://a.test/é>é</a><base href=x>", as: .html),
    ChunkedInput("text", "é https://a.test/é. https://b.test/", as: .text),
    ChunkedInput("gzip", gzip(lines)),
    ChunkedInput(
      "gzip of three members and padding", gzip("https://a") + gzip(".test/\n") + gzip(lines) + [0, 0]),
    ChunkedInput("gzip cut off", Array(gzip(lines).dropLast(9))),
    ChunkedInput("gzip with a wrong checksum", gzip(lines, checksumOff: true)),
    ChunkedInput("gzip and garbage", gzip("https://a.test/\n") + Array("garbage".utf8)),
  ]

  @Test(arguments: inputs)
  func `the jobs do not depend on how the bytes arrive`(input: ChunkedInput) {
    let whole = read([input.bytes], as: input.format, keep: input.keep)
    for pieces in chunkings(of: input.bytes) {
      #expect(read(pieces, as: input.format, keep: input.keep) == whole)
      #expect(read(pieces, as: input.format, keep: input.keep, burst: 1) == whole)
    }
  }
}
