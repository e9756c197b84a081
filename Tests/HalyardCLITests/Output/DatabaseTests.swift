import PipelineTesting
import Posix
import SQLite
import Testing

@testable import HalyardCLI

@Suite struct DatabaseTests {
  private let directory: TemporaryDirectory
  private var path: String { directory.file("rows.sqlite") }

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func write(_ words: [String], _ rows: [String]) throws {
    var target = try #require(try outputPlan(words + ["-o", path]).open().first)
    for row in rows { try target.write(Array(row.utf8)) }
    try target.flush()
    try target.finish()
  }

  /// What a query of one column finds, as text.
  private func found(_ query: String, in file: String? = nil) throws -> [String?] {
    let database = try Connection(path: file ?? path, access: .readOnly)
    return try database.prepare(query).all { $0.text(at: 0) }
  }

  @Test func `a database has a table of the columns that separated values have`() throws {
    try write(["title"], [Rows.page, Rows.failure])
    #expect(
      try found("SELECT name || ' ' || type FROM pragma_table_info('rows')") == [
        "input TEXT", "status TEXT", "url TEXT", "http_status INTEGER", "title TEXT", "error.kind TEXT",
      ])
    #expect(
      try found(
        "SELECT format('%s|%s|%d|%s|%s', input, status, http_status, title, \"error.kind\") FROM rows")
        == [
          "http://sho.rt/x|ok|200|Tea, \"hot\"|", "https://gone.test/|failed|404||http_status",
        ])
  }

  @Test func `each kind of JSON has its type`() throws {
    let row =
      #"{"value":{"a":7,"b":1.5,"c":true,"d":"7","e":[1, 2],"f":{},"g":null,"h":9223372036854775808,"i":1e999}}"#
    let names = "abcdefghij".map { "value.\($0)" }
    try write(["decode", "--fields", names.joined(separator: ",")], [row])
    let types = names.map { "typeof(\"\($0)\")" }.joined(separator: " || ' ' || ")
    #expect(
      try found("SELECT \(types) FROM rows") == ["integer real integer text text text null real text null"])
    #expect(try found("SELECT \"value.e\" FROM rows") == ["[1,2]"])
  }

  @Test func `kept columns stay text, and names that SQLite takes for one get a number`() throws {
    let row = #"{"title":"t","kept":{"Title":"007","say \"x\"":"1"}}"#
    var plan = try outputPlan(["title", "--keep", "all", "-o", path])
    plan.kept = ["Title", #"say "x""#]
    var target = try #require(try plan.open().first)
    try target.write(Array(row.utf8))
    try target.finish()
    #expect(try found("SELECT title || Title_2 || \"say \"\"x\"\"\" FROM rows") == ["t0071"])
    #expect(RowColumnName.distinct(["a", "A", "a_2", "a"]) == ["a", "A_2", "a_2_2", "a_3"])
  }

  @Test func `many rows are all there`() throws {
    let rows = (0..<2_500).map { #"{"ordinal":\#($0)}"# }
    try write(["title", "--fields", "ordinal"], rows)
    #expect(try found("SELECT count(DISTINCT ordinal) || '' FROM rows") == ["2500"])
    #expect(try found("SELECT * FROM pragma_integrity_check") == ["ok"])
  }

  @Test func `the file is another one only when all rows are there`() throws {
    try write(["title"], [Rows.page])
    var target = try #require(try outputPlan(["title", "-o", path]).open().first)
    for _ in 0..<1_500 { try target.write(Array(Rows.failure.utf8)) }
    #expect(try found("SELECT status FROM rows") == ["ok"])
    #expect(target.breakOff(keepingRows: false) == nil)
    #expect(try found("SELECT status FROM rows") == ["ok"])
    #expect(try FileFacts(at: path + ".part") == nil)
  }

  @Test func `rows that nobody else has are kept beside the file`() throws {
    var target = try #require(try outputPlan(["title", "-o", path]).open().first)
    #expect(target.breakOff(keepingRows: true) == nil)
    target = try #require(try outputPlan(["title", "-o", path]).open().first)
    try target.write(Array(Rows.page.utf8))
    #expect(target.breakOff(keepingRows: true) == "\(path).part")
    #expect(try found("SELECT status FROM rows", in: path + ".part") == ["ok"])
  }

  @Test(arguments: ["/dev/null/rows.sqlite", "/nowhere/rows.sqlite"])
  func `a place without room for a file is an error that names it`(path: String) throws {
    let plan = try outputPlan(["title", "-o", path])
    let error = #expect(throws: OutputError.self) { try plan.open() }
    #expect(
      error?.rendered
        == "halyard: \(path): a database needs a file of one name, in a directory where files can be made\n")
  }

  @Test(arguments: [
    (["--format", "csv"], "option '--format': rows become a table in 'x.SQLite3'; give text another name"),
    (["--raw"], "option '--raw': rows become a table in 'x.SQLite3'; give text another name"),
    (["--csv-safe"], "option '--csv-safe': only csv and tsv have cells; add --format csv"),
  ])
  func `options of text are refused for a database`(words: [String], problem: String) {
    let error = #expect(throws: UsageError.self) { try outputPlan(["decode", "-o", "x.SQLite3"] + words) }
    #expect(error?.rendered.hasPrefix("halyard: \(problem)\n") == true)
  }

  @Test func `a variable's format is for text`() throws {
    let plan = try outputPlan(["title", "-o", "x.sqlite"], environment: ["HALYARD_FORMAT": "csv"])
    #expect(plan.target == .database("x.sqlite"))
  }

  @Test func `the name that ledgers have is refused`() {
    let error = #expect(throws: UsageError.self) { try outputPlan(["title", "-o", "jobs.db"]) }
    #expect(error?.rendered.hasSuffix("try:   halyard title -o jobs.sqlite\n") == true)
  }
}
