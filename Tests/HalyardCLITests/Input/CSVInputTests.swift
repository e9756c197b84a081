import Pipeline
import Roles
import Testing

@testable import HalyardCLI

@Suite struct CSVInputTests {
  private func csv(_ text: String, link: String? = nil, keep: [String] = []) -> Yield {
    read(text, as: .csv, link: link, keep: keep)
  }

  @Test func `the named column is the link, and kept columns come along in the order asked for`() {
    let yield = csv(
      "id,page,note\n1,https://a.test/,x\n2,https://b.test/\n", link: "page", keep: ["note", "id"])
    #expect(yield.urls == ["https://a.test/", "https://b.test/"])
    #expect(yield.jobs.map(\.line) == [2, 3])
    #expect(yield.jobs[0].kept == [KeptColumn("note", "x"), KeptColumn("id", "1")])
    #expect(yield.jobs[1].kept == [KeptColumn("note", ""), KeptColumn("id", "2")])
  }

  static let cells: [(csv: String, cell: String)] = [
    ("a\n", "a"), ("a\r\n", "a"), ("a\r", "a"), ("a", "a"), ("\"a\"\n", "a"), ("\"a\"", "a"),
    ("\"a,b\"\n", "a,b"), ("\"a\"\"b\"\n", "a\"b"), ("\"a\nb\"\n", "a\nb"), ("\"a\r\nb\"\r\n", "a\r\nb"),
    ("a\"b\n", "a\"b"), ("a \"b\"\n", "a \"b\""), ("\"a\"b\n", "ab"), ("\"\"\"a\"\"\"\n", "\"a\""),
    (" a \n", "a"), ("\"  a\"\n", "a"), ("\"\"a\n", "a"),
  ]

  @Test(arguments: cells)
  func `a cell is read as RFC 4180 has it, and leniently where nothing is lost`(
    row: (csv: String, cell: String)
  ) {
    #expect(csv("url\n" + row.csv).urls == [row.cell])
  }

  @Test func `lines without a character are skipped, an empty cell is a missing link`() {
    let yield = csv("\n\r\nid,url\n\n1,\n\r\n2,\"\"\n3\n4,https://a.test/\n\n")
    #expect(yield.urls == [nil, nil, nil, "https://a.test/"])
    #expect(
      yield.problems == [
        "line 5, column 'url' has no link", "line 7, column 'url' has no link",
        "line 8, column 'url' has no link",
        nil,
      ])
    #expect(yield.jobs[0].refusal?.kind == .missingInput)
  }

  @Test func `a record with more cells than the header fails, and empty cells at its end do not count`() {
    let yield = csv("url\nhttps://a.test/?x,y\n\"https://b.test/?x,y\"\nhttps://c.test/,,\n")
    #expect(yield.urls == ["https://a.test/?x", "https://b.test/?x,y", "https://c.test/"])
    #expect(
      yield.problems == [
        "line 2 has 2 cells and the header 1; cells that hold the separator need quotes", nil, nil,
      ])
  }

  @Test func `a comma without quotes behind the link costs no link`() {
    let yield = csv(
      "id,url,note\n1,https://a.test/,so, so\n2, https://b.test/,x\n3,Smith, John,https://c.test/\n")
    #expect(yield.urls == ["https://a.test/", "https://b.test/", "Smith"])
    #expect(
      yield.problems == [
        nil, nil, "line 4 has 4 cells and the header 3; cells that hold the separator need quotes",
      ])
  }

  static let headers: [(header: String, link: String?, urls: [String])] = [
    ("anything", nil, ["1"]), ("a,url,b", nil, ["2"]), ("Link,b", nil, ["1"]), ("a,HREF", nil, ["2"]),
    ("href,link,url", nil, ["3"]), ("a,b", "b", ["2"]), ("A,B", "b", ["2"]), ("b,B", "B", ["2"]),
    (" a , b ", "b", ["2"]), ("\"a\",\"b\"", "b", ["2"]), ("a,a,b", "b", ["3"]),
    ("input,status,url", nil, ["1"]), ("input,b", nil, ["1"]), ("input,url,b", nil, ["1"]),
    ("input,link,b", nil, ["2"]), ("\u{FEFF}a,b", "a", ["1"]),
  ]

  @Test(arguments: headers)
  func `the column is found by name`(row: (header: String, link: String?, urls: [String])) {
    let width = row.header.split(separator: ",").count
    let yield = csv(
      "\(row.header)\n\(["1", "2", "3"].prefix(width).joined(separator: ","))\n", link: row.link)
    #expect(yield.urls == row.urls)
  }

  static let refusals: [(csv: String, link: String?, keep: [String], problem: String)] = [
    (
      "id,adress\n", "address", [],
      "no column 'address' — did you mean 'adress'? the columns are 'id', 'adress'"
    ),
    ("id,page\n", "x", [], "no column 'x'; the columns are 'id', 'page'"),
    ("id,url\n", nil, ["name"], "no column 'name'; the columns are 'id', 'url'"),
    ("id,page\n", nil, [], "which column holds the links? say --column NAME; the columns are 'id', 'page'"),
    ("a,a\n", "a", [], "columns 1 and 2 are both named 'a'; rename one of them"),
    ("url,b,url\n", nil, [], "columns 1 and 3 are both named 'url'; rename one of them"),
    ("a,A,url\n", nil, ["a", "aA"], "no column 'aA' — did you mean 'a'? the columns are 'a', 'A', 'url'"),
    ("url,n,n\n", nil, ["all"], "columns 2 and 3 are both named 'n'; rename one of them"),
    (
      "https://a.test/\nhttps://b.test/\n", nil, [],
      "the first row holds a link where column names should stand; read it with --input-format lines"
        + " or put a row of names before it"
    ),
    ("", nil, [], "there is no row of column names"),
    ("\n\n", nil, [], "there is no row of column names"),
  ]

  @Test(arguments: refusals)
  func `a header that does not fit is an error that lists the columns`(
    row: (csv: String, link: String?, keep: [String], problem: String)
  ) {
    #expect(csv(row.csv, link: row.link, keep: row.keep) == Yield(fault: InputError("links", row.problem)))
  }

  @Test func `an open quote is an error that names its line, behind the records before it`() {
    let yield = csv("url\nhttps://a.test/\n\"https://b.test/\nhttps://c.test/\n")
    #expect(yield.urls == ["https://a.test/"])
    #expect(yield.fault == InputError("links", "the quote on line 3 is never closed"))
  }

  @Test func `a huge cell matters only in a wanted column`() {
    let huge = String(repeating: "x", count: 70_000)
    let yield = csv("url,note\nhttps://a.test/,\(huge)\n\(huge),\nhttps://b.test/,\n")
    #expect(yield.urls == ["https://a.test/", String(huge.prefix(200)) + "…", "https://b.test/"])
    #expect(yield.problems == [nil, "line 3, column 'url' is longer than 64KiB", nil])
  }

  @Test func `a first line without end is not kept in memory for ever`() {
    let fault = InputError("links", "the first line is too long for a row of column names")
    let commas = [UInt8](repeating: UInt8(ascii: ","), count: 20_000)
    #expect(read([commas], as: .csv).fault == fault)
    let letters = [UInt8](repeating: UInt8(ascii: "a"), count: 60_000) + [UInt8(ascii: ",")]
    #expect(read(Array(repeating: letters, count: 20), as: .csv).fault == fault)
  }

  @Test func `in a text of UTF-8 a link that is not UTF-8 fails, and a kept value is repaired`() {
    let bytes =
      Array("url,namé\nhttps://a.test/,caf".utf8) + [0xE9] + Array("\nhttps://b.test/".utf8) + [0xE9]
    let yield = read([bytes], as: .csv, keep: ["namé"])
    #expect(yield.problems == [nil, "line 3, column 'url' is not UTF-8"])
    #expect(yield.jobs[0].kept == [KeptColumn("namé", "caf\u{FFFD}")])
  }

  @Test func `line numbers count the lines inside quotes`() {
    let yield = csv("url,note\nhttps://a.test/,\"1\n2\n3\"\r\nhttps://b.test/,\rhttps://c.test/,\n")
    #expect(yield.jobs.map(\.line) == [2, 5, 6])
  }
}
