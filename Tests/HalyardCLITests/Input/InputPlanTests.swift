import Testing

@testable import HalyardCLI

@Suite struct InputPlanTests {
  private func plan(_ words: String..., terminal: Bool = true) throws -> InputPlan? {
    guard case .run(let arguments) = try Invocation.parse(["title"] + words, environment: [:]) else {
      return nil
    }
    return try InputPlan(arguments, standardInputIsTerminal: terminal)
  }

  @Test func `links come from arguments, a file, a dash, or what is piped in`() throws {
    #expect(try plan("https://a.test/", "b")?.sources == [.arguments(["https://a.test/", "b"])])
    #expect(try plan("--input", "links.txt")?.sources == [.file("links.txt")])
    #expect(try plan("--input", "-")?.sources == [.standardInput])
    #expect(
      try plan("--input", "a.csv", "--input", "-", "--input", "b")?.sources
        == [.file("a.csv"), .standardInput, .file("b")])
    #expect(try plan("-")?.sources == [.standardInput])
    #expect(try plan(terminal: false)?.sources == [.standardInput])
    #expect(try plan("https://a.test/", terminal: false)?.sources == [.arguments(["https://a.test/"])])
  }

  static let formats: [(words: [String], format: InputFormat)] = [
    (["--input", "a.tsv.gz"], .tsv), (["--input", "a.txt", "--delimiter", ";"], .csv),
    (["--input", "a.txt"], .auto), (["--input", "a.csv"], .csv), (["--input", "A.CSV.GZ"], .csv),
    (["--input", "a.jsonl"], .jsonl), (["--input", "a.ndjson.gz"], .jsonl), (["--input", "csv"], .auto),
    (["--input", "a.txt", "--column", "x"], .csv), (["-", "--keep", "x"], .csv), (["-"], .auto),
    (["--input", "a.csv", "--input-format", "lines"], .lines), (["-", "--input-format", "jsonl"], .jsonl),
  ]

  @Test(arguments: formats)
  func `the format follows the option, the file's name, and named columns`(
    row: (words: [String], format: InputFormat)
  ) throws {
    guard case .run(let arguments) = try Invocation.parse(["title"] + row.words, environment: [:]) else {
      return
    }
    let plan = try InputPlan(arguments, standardInputIsTerminal: true)
    #expect(plan.sources.map(plan.format) == [row.format])
  }

  static let refusals: [(words: [String], problem: String)] = [
    (["u", "--input", "f"], "links are given both as arguments and with --input"),
    (
      ["--input", "a.csv", "--input", "b.jsonl", "--keep", "c"],
      "option '--keep': only for CSV and TSV, and b.jsonl is read as jsonl"
    ),
    (["--input", "-", "--input", "-"], "option '--input': standard input can be read only once"),
    (
      ["-", "--delimiter", "::"],
      "option '--delimiter': '::' is not one character such as ';' or '|', or the word tab"
    ),
    (
      ["u", "--delimiter", ";"],
      "option '--delimiter': only for input from a file or '-', and the links are arguments"
    ),
    (
      ["--input", "a.csv", "--base-url", "https://a.test/"],
      "option '--base-url': only for Markdown and HTML, and a.csv is read as csv"
    ),
    (
      ["u", "--base-url", "https://a.test/"],
      "option '--base-url': only for Markdown and HTML, and the links are arguments"
    ),
    (
      ["--input", "a.md", "--base-url", "docs/"],
      "option '--base-url': 'docs/' is not an http or https URL such as https://example.org/docs/"
    ),
    (
      ["--input", "a.md", "--column", "c"],
      "option '--column': only for CSV and TSV, and a.md is read as markdown"
    ),
    (["u", "-"], "'-' stands for standard input and cannot be mixed with links"),
    (
      ["u", "--column", "c"],
      "option '--column': only for input from a file or '-', and the links are arguments"
    ),
    (
      ["u", "--keep", "c"], "option '--keep': only for input from a file or '-', and the links are arguments"
    ),
    (
      ["u", "--input-format", "csv"],
      "option '--input-format': only for input from a file or '-', and the links are arguments"
    ),
    (
      ["--input", "a.jsonl", "--column", "c"],
      "option '--column': only for CSV and TSV, and a.jsonl is read as jsonl"
    ),
    (
      ["-", "--input-format", "lines", "--keep", "c"],
      "option '--keep': only for CSV and TSV, and standard input is read as lines"
    ),
  ]

  @Test(arguments: refusals)
  func `options that contradict each other are refused`(row: (words: [String], problem: String)) {
    let error = #expect(throws: UsageError.self) {
      guard case .run(let arguments) = try Invocation.parse(["title"] + row.words, environment: [:]) else {
        return
      }
      _ = try InputPlan(arguments, standardInputIsTerminal: true)
    }
    let rest = "usage: halyard title [OPTION…] [URL…]\ntry:   halyard title --help\n"
    #expect(error?.rendered == "halyard: \(row.problem)\n\(rest)")
  }

  @Test func `without any link a terminal is shown how to give one`() {
    let error = #expect(throws: UsageError.self) { try plan() }
    #expect(
      error?.rendered
        == "halyard: no links given\nusage: halyard title [OPTION…] [URL…]\n"
        + "try:   halyard title https://example.org/\n")
  }

  @Test func `an argument that is a file is no link, and the way to read it is shown`() throws {
    let plan = InputPlan([.arguments(["https://a.test/notes.md", "my notes.md"])])
    let error = #expect(throws: UsageError.self) {
      try plan.refuseFiles(CommandTable.title) { $0 == "my notes.md" || $0.contains("://") }
    }
    #expect(
      error?.rendered
        == "halyard: 'my notes.md' is a file, and links are expected here\nusage: halyard title [OPTION…] [URL…]\n"
        + "try:   halyard title --input 'my notes.md'\n")
    try plan.refuseFiles(CommandTable.title) { _ in false }
  }

  @Test func `a file that is not there is an error that names it`() {
    let error = #expect(throws: InputError.self) { try InputPlan([.file("/nowhere/links.txt")]).open() }
    #expect(error?.rendered == "halyard: /nowhere/links.txt: open: No such file or directory\n")
  }

  @Test func `a name from a file cannot move the terminal's cursor`() {
    let error = InputError("a\u{1B}[2J.csv", "no column 'x\u{202E}'")
    #expect(error.rendered == "halyard: a\u{FFFD}[2J.csv: no column 'x\u{FFFD}'\n")
  }
}
