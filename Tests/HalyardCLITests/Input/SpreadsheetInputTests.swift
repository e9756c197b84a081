import Foundation
import Pipeline
import Roles
import Testing

@testable import HalyardCLI

/// What spreadsheets and other programs save as a table.
@Suite struct SpreadsheetInputTests {
  struct Sheet: CustomTestStringConvertible {
    var testDescription: String
    var bytes: [UInt8]

    init(_ name: String, _ bytes: [UInt8]) { (testDescription, self.bytes) = (name, bytes) }
    init(_ name: String, _ text: String) { self.init(name, Array(text.utf8)) }
  }

  private static let semicolons =
    "Name;URL;Menge\r\nCafé;https://a.test/é;\"1;5\"\r\nZoo;<https://b.test/>;2\r\n"
  private static let tabs = semicolons.replacing(";", with: "\t").replacing("1\t5", with: "1;5")

  static let sheets = [
    Sheet("commas", semicolons.replacing(";", with: ",").replacing("1,5", with: "1;5")),
    Sheet("semicolons", semicolons),
    Sheet("tabs", tabs),
    Sheet("a line that names the separator", "sep=;\r\n" + semicolons),
    Sheet("a byte order mark", "\u{FEFF}" + semicolons),
    Sheet("a byte order mark and a line that names the separator", "\u{FEFF}sep=;\n" + semicolons),
    Sheet("Unicode text of Excel", utf16(tabs, isBigEndian: false)),
    Sheet("UTF-16, big-endian", utf16(tabs, isBigEndian: true)),
    Sheet("UTF-16 without a mark", Array(utf16(tabs, isBigEndian: false).dropFirst(2))),
    Sheet("Latin-1", semicolons.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }),
    Sheet("line ends of old Macs", semicolons.replacing("\r\n", with: "\r")),
  ]

  @Test func `a table that Halyard wrote keeps only what was kept before, as often as it is fed back`() {
    let table =
      "input,status,title,error.kind,kept.status,kept.note,Straße\nhttps://a.test/,ok,A,,open,later,Kai 1\n"
    let yield = read(table, as: .csv, keep: ["all"])
    #expect(yield.fault == nil)
    let kept = yield.jobs.first?.kept.map { "\($0.name)=\($0.value)" }
    #expect(kept == ["status=open", "note=later", "Straße=Kai 1"])
  }

  @Test func `the own file of a spreadsheet is refused, and no link is made of its bytes`() {
    let yield = read([Array("PK\u{3}\u{4}\u{14}\0xl/worksheets\nhttps://a.test/\n".utf8)])
    #expect(yield.jobs.isEmpty)
    #expect(
      yield.fault?.problem == "is a spreadsheet's own file or a zip archive; save it as CSV, or unpack it")
  }

  @Test func `angle brackets stay where others stand between them`() {
    let link = #"<a href="https://a.test/">A</a>"#
    #expect(read(link, as: .lines).urls == [link])
  }

  @Test(arguments: sheets)
  func `every way to save a sheet gives the same jobs`(sheet: Sheet) {
    for format in [InputFormat.auto, .csv] {
      let yield = read([sheet.bytes], as: format, keep: ["all"])
      #expect(yield.fault == nil)
      #expect(yield.urls == ["https://a.test/é", "https://b.test/"])
      #expect(yield.problems == [nil, nil])
      #expect(
        yield.jobs.map(\.kept) == [
          [KeptColumn("Name", "Café"), KeptColumn("Menge", "1;5")],
          [KeptColumn("Name", "Zoo"), KeptColumn("Menge", "2")],
        ])
    }
  }

  @Test func `the letters that Latin-1 lacks are those of windows-1252`() {
    #expect(read([Array("https://a.test/".utf8) + [0x80, 0x93, 0xFF]]).urls == ["https://a.test/€“ÿ"])
  }

  @Test(arguments: [("|", UInt8(ascii: "|")), ("tab", 9), ("\\t", 9), ("\t", 9), (";", UInt8(ascii: ";"))])
  func `a separator can be named`(name: String, byte: UInt8) {
    #expect(CSVDialect.delimiter(named: name) == byte)
  }

  @Test(arguments: ["", "::", "é", "\n", "\"", "\u{1}"])
  func `what separates nothing is no separator`(name: String) {
    #expect(CSVDialect.delimiter(named: name) == nil)
  }

  @Test func `a named separator is used, whatever the first line has more of`() throws {
    let plan = InputPlan([.file("x")], delimiter: UInt8(ascii: "|"))
    var source = JobSource(
      plan, of: [ScriptedSource([Array("a;b;c|url\n1;2|https://a.test/\n".utf8)])])
    #expect(try source.nextBurst(limit: 9).map(\.input) == ["https://a.test/"])
  }

  @Test(arguments: [
    ("url\nhttps://a.test/\n", ["https://a.test/"]), ("Link;x\nhttps://a.test/;1\n", ["https://a.test/"]),
    ("https://a.test/?url,link\n", ["https://a.test/?url,link"]), ("example.org\n", ["example.org"]),
  ])
  func `a list is a table when its first line names a column of links`(text: String, urls: [String]) {
    #expect(read(text).urls == urls)
  }
}

/// Text as UTF-16 with its mark.
func utf16(_ text: String, isBigEndian: Bool) -> [UInt8] {
  "\u{FEFF}\(text)".utf16.flatMap { unit in
    let bytes = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
    return isBigEndian ? bytes : bytes.reversed()
  }
}
