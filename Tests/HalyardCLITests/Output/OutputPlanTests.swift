import Testing

@testable import HalyardCLI

@Suite struct OutputPlanTests {
  static let screen = TerminalTraits(isTerminal: true, width: 120, environment: [:])

  @Test func `a terminal gets a table, a pipe gets jsonl, and a file what its name says`() throws {
    #expect(try outputPlan(["title"]).format == .jsonl)
    #expect(try outputPlan(["title"], terminal: Self.screen).format == .table)
    #expect(try outputPlan(["title"], terminal: Self.screen).width == 120)
    #expect(try outputPlan(["title", "-o", "-"], terminal: Self.screen).format == .table)
    #expect(try outputPlan(["title", "-o", "rows"], terminal: Self.screen).format == .jsonl)
    #expect(try outputPlan(["title", "-o", "rows.CSV"]).format == .csv)
    #expect(try outputPlan(["title", "-o", "rows.tsv"]).format == .tsv)
    #expect(try outputPlan(["title", "-o", "rows.csv", "--format", "jsonl"]).format == .jsonl)
    #expect(try outputPlan(["title"], environment: ["HALYARD_FORMAT": "tsv"]).format == .tsv)
  }

  @Test func `the target is standard output or the file`() throws {
    #expect(try outputPlan(["title"]).target == .standardOutput)
    #expect(try outputPlan(["title", "-o", "-"]).target == .standardOutput)
    #expect(try outputPlan(["title", "-o", "rows"]).target == .file("rows"))
  }

  static let colours: [(name: String, traits: TerminalTraits, words: [String], shown: Bool)] = [
    ("terminal", screen, [], true),
    ("pipe", TerminalTraits(isTerminal: false, width: nil, environment: [:]), [], false),
    ("file", screen, ["-o", "rows"], false),
    ("NO_COLOR", TerminalTraits(isTerminal: true, width: 80, environment: ["NO_COLOR": "1"]), [], false),
    (
      "NO_COLOR without a value", TerminalTraits(isTerminal: true, width: 80, environment: ["NO_COLOR": ""]),
      [], true
    ),
    ("TERM=dumb", TerminalTraits(isTerminal: true, width: 80, environment: ["TERM": "dumb"]), [], false),
  ]

  @Test(arguments: colours)
  func `colour is for terminals whose user did not refuse it`(
    row: (name: String, traits: TerminalTraits, words: [String], shown: Bool)
  ) throws {
    #expect(try outputPlan(["title"] + row.words, terminal: row.traits).showsColour == row.shown)
  }

  @Test(arguments: [(true, "xterm", true), (true, "dumb", false), (false, "xterm", false)])
  func `a line is only drawn over where the terminal can`(
    row: (terminal: Bool, term: String, redraws: Bool)
  ) {
    let traits = TerminalTraits(isTerminal: row.terminal, width: 80, environment: ["TERM": row.term])
    #expect(traits.redraws == row.redraws)
  }

  static let refusals: [(fields: String, problem: String)] = [
    (
      "url,titel",
      "rows have no member 'titel'; the nearest are title, id, ref;"
        + " a row in full, without --fields, shows all that it has"
    ),
    (
      "card.pictures",
      "rows have no member 'card.pictures'; the nearest are card.title, card.images, card.sources;"
        + " a row in full, without --fields, shows all that it has"
    ),
    ("kept.id", "'kept.id' needs --keep id"),
  ]

  @Test(arguments: [
    "value.a", "value.items.0.name", "hops.0.status", "warnings.0", "card.images.0.url", "steps.list.status",
  ])
  func `a path into what a row holds is a field`(name: String) throws {
    #expect(try outputPlan(["title", "--fields", name]).fields?.map(\.name) == [name])
  }

  @Test(arguments: ["value.", ".value", "value..a", "url.0", "card", "card.x.0"])
  func `a path that leads nowhere is none`(name: String) {
    #expect(RowField.canExist(name) == (name == "card"))
  }

  @Test func `a path can name the elements of lists`() throws {
    let row = #"{"value":{"list":[{"n":1},"x"]},"hops":[{"status":301},{"status":200}]}"#
    let fields = "value.list.0.n,value.list.1,value.list.2,hops.1.status,hops.-1,hops.x"
    #expect(
      try output(["decode", "--format", "tsv", "--fields", fields], [row]).hasSuffix("\n1\tx\t\t200\t\t\n"))
  }

  @Test func `every column of the input can be a field when all are kept`() throws {
    var plan = try outputPlan(["title", "--keep", "all", "--format", "csv"])
    plan.kept = ["id", "status"]
    #expect(plan.columns.suffix(2).map(\.heading) == ["id", "kept.status"])
    #expect(try outputPlan(["title", "--keep", "all", "--fields", "kept.x"]).fields?.count == 1)
  }

  @Test(arguments: [
    (
      ["-o", "x.xlsx"], "option '--output': rows are not written as .xlsx; spreadsheets open .csv", "-o x.csv"
    ),
    (["-o", "my rows.HTML"], "option '--output': rows are not written as .html", "-o 'my rows.jsonl'"),
  ])
  func `a file of another program is refused, and the nearest is offered`(
    words: [String], problem: String, next: String
  ) {
    let error = #expect(throws: UsageError.self) { try outputPlan(["title"] + words) }
    #expect(
      error?.rendered
        == "halyard: \(problem)\nusage: halyard title [OPTION…] [URL…]\ntry:   halyard title \(next)\n")
  }

  @Test(arguments: [
    ["-o", "xlsx"], ["-o", "x.json"], ["-o", "a.xlsx/b"], ["-o", "x.xlsx", "--format", "csv"],
  ])
  func `any other name of a file is the user's to choose`(words: [String]) throws {
    #expect(throws: Never.self) { try outputPlan(["title"] + words) }
  }

  @Test func `raw values are text without quotes, and all else as JSON`() throws {
    let rows = [
      #"{"status":"ok","value":"a \"b\"\n"}"#, #"{"status":"ok","value":{"n":1.50,"l":[1, null]}}"#,
      #"{"status":"failed","input":"https://a.test/","error":{"kind":"dns","message":"no such name"}}"#,
      #"{"status":"ok","value":null}"#,
    ]
    #expect(
      try output(["decode", "--raw"], rows, terminal: Self.screen)
        == "a \"b\"\n\n{\"n\":1.50,\"l\":[1,null]}\nnull\n")
    #expect(RawValueEncoder.complaint(Array(rows[2].utf8)) == "halyard: https://a.test/: dns: no such name\n")
    #expect(throws: UsageError.self) { try outputPlan(["decode", "--raw", "--format", "csv"]) }
    #expect(throws: UsageError.self) { try outputPlan(["decode", "--raw", "--fields", "url"]) }
  }

  @Test(arguments: refusals)
  func `a field that no row has is refused with the nearest`(row: (fields: String, problem: String)) {
    let error = #expect(throws: UsageError.self) { try outputPlan(["title", "--fields", row.fields]) }
    #expect(
      error?.rendered
        == "halyard: option '--fields': \(row.problem)\nusage: halyard title [OPTION…] [URL…]\n"
        + "try:   halyard title --help\n")
  }

  @Test(arguments: CommandTable.commands.map(\.name))
  func `the columns a command shows by itself are members that rows have`(name: String) throws {
    let fields = try #require(CommandTable.command(named: name)).rowFields
    #expect(fields.filter { !RowField.members.contains($0) && RowField.keptColumn($0) == nil }.isEmpty)
  }

  @Test(arguments: [
    (words: [] as [String], terminal: true, progress: true, summary: true), ([], false, false, false),
    (["--progress", "always"], false, true, true), (["--progress", "never"], true, false, true),
    (["--quiet"], true, false, false), (["--quiet", "--progress", "always"], true, false, false),
  ])
  func `progress is shown on a terminal, or as the user wants it`(
    row: (words: [String], terminal: Bool, progress: Bool, summary: Bool)
  ) throws {
    guard case .run(let arguments) = try Invocation.parse(["title"] + row.words, environment: [:]) else {
      return
    }
    #expect(arguments.wantsProgress(standardErrorRedraws: row.terminal) == row.progress)
    #expect(
      arguments.wantsSummary(of: ProgressCounts(), standardErrorIsTerminal: row.terminal) == row.summary)
    for telling in [ProgressCounts(failed: ["dns": 1]), ProgressCounts(known: 1)] {
      #expect(
        arguments.wantsSummary(of: telling, standardErrorIsTerminal: row.terminal)
          == !row.words.contains("--quiet"))
    }
  }

  private static func pipe(_ isPipe: Bool) -> TerminalTraits {
    var traits = TerminalTraits(isTerminal: false, width: nil, environment: [:])
    traits.isPipe = isPipe
    return traits
  }

  @Test(arguments: [
    ([], screen, true), (["--format", "jsonl"], screen, false), (["-o", "rows"], screen, true),
    ([], pipe(false), true),
    ([], pipe(true), false),
    (["-o", "rows"], pipe(true), true),
  ])
  func `no line of progress stands where others write`(
    words: [String], output: TerminalTraits, isFree: Bool
  ) throws {
    #expect(try outputPlan(["title"] + words, terminal: output).leavesRoomForProgress == isFree)
  }
}
