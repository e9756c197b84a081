import JSONQuery
import LinkPreviews
import Testing

@testable import HalyardCLI

/// Foreign text on a terminal: it shows, and does nothing.
struct ScreenTests {
  /// Clears the screen, sets the window's title, in one byte of C1, a delete, overrides and marks of direction, and lines
  /// of its own.
  static let attacks: [Unicode.Scalar] = [
    "\u{1B}", "\u{07}", "\0", "\r", "\u{7F}", "\u{80}", "\u{9B}", "\u{9F}", "\u{61C}", "\u{200E}", "\u{200F}",
    "\u{2028}",
    "\u{2029}", "\u{202A}", "\u{202E}", "\u{2066}", "\u{2069}",
  ]

  private static let terminal = TerminalTraits(isTerminal: true, width: 100, environment: [:])

  private func row(_ scalar: Unicode.Scalar) throws -> String {
    var writer = JSONWriter()
    writer.beginObject()
    for name in ["input", "url", "title"] {
      writer.key(name)
      writer.string("a\(scalar)b")
    }
    writer.endObject()
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test(arguments: attacks, ["csv", "tsv", "table"])
  func `no format shows a title raw on a terminal`(attack: Unicode.Scalar, format: String) throws {
    let shown = try output(["title", "x", "--format", format], [row(attack)], terminal: Self.terminal)
      .replacing("\u{1B}[33m", with: "").replacing("\u{1B}[0m", with: "")
    #expect(!shown.unicodeScalars.contains { $0 != "\n" && $0 != "\t" && $0.disturbsText })
    #expect(shown.unicodeScalars.contains("\u{FFFD}"))
  }

  @Test(arguments: attacks)
  func `JSON on a terminal has escapes instead, and means the same`(attack: Unicode.Scalar) throws {
    let line = try row(attack) + "\n"
    let shown = String(decoding: ScreenContent.json.harmless(Array(line.utf8)), as: UTF8.self)
    #expect(!shown.dropLast().unicodeScalars.contains { $0.disturbsText })
    #expect(shown.hasSuffix("\n"))
    #expect(try JSONDocument(parsing: Array(shown.utf8)).root["title"]?.string == "a\(attack)b")
  }

  @Test func `bytes that are no characters are none on a terminal`() {
    #expect(ScreenContent.text.harmless([0x61, 0x9B, 0x32, 0x4A, 0x0A]) == Array("a\u{FFFD}2J\n".utf8))
    #expect(ScreenContent.json.harmless([0x22, 0xFF, 0x22]) == Array("\"\u{FFFD}\"".utf8))
  }

  @Test(arguments: ["csv", "tsv"])
  func `in a file a title stays as it is`(format: String) throws {
    let shown = try output(["title", "x", "--format", format, "--fields", "title"], [row("\u{202E}")])
    #expect(shown == "title\na\u{202E}b\n")
  }

  @Test(arguments: [
    ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@SUM(1)", "'@SUM(1)"), ("\t=1", "'\t'=1"),
    ("\r=1", "'\r'=1"),
    ("1=1", "1=1"), ("", ""), ("'=1", "'=1"),
    ("a;=1+1", "a;'=1+1"), ("a;b;-1;c", "a;b;'-1;c"), ("a;\"=1\"", "a;'\"=1\""), ("\"=1\"", "'\"=1\""),
    ("a\n=1", "a\n'=1"), ("a\t=1", "a\t'=1"), ("a\r=1", "a\r'=1"), ("a\r\n=1", "a\r\n'=1"),
    (" =1", "' =1"), ("a\t -1", "a\t' -1"), ("a\tb", "a\tb"),
    ("a; b", "a; b"), (";", ";"),
  ])
  func `a cell that a spreadsheet would calculate is defused where that is asked for`(
    cell: String, defused: String
  ) throws {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("title")
    writer.string(cell)
    writer.endObject()
    let row = String(decoding: writer.bytes, as: UTF8.self)
    for (options, wanted) in [([], cell), (["--csv-safe"], defused)] {
      let words = ["title", "x", "--format", "tsv", "--fields", "title,url"] + options
      let escapes: [Unicode.Scalar: String] = ["\t": "\\t", "\r": "\\r", "\n": "\\n"]
      let escaped = wanted.unicodeScalars.map { escapes[$0] ?? String($0) }.joined()
      #expect(try output(words, [row]) == "title\turl\n\(escaped)\t\n")
    }
  }

  @Test func `only separated values can be defused`() {
    #expect(throws: UsageError.self) { try outputPlan(["title", "x", "--csv-safe"]) }
    #expect(throws: Never.self) { try outputPlan(["title", "x", "--csv-safe", "-o", "rows.csv"]) }
  }
}
