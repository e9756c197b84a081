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

  static let list =
    "schema, id, ref, batch, ordinal, kind, input, status, url, http_status, content_type, truncated, charset, hops, fetched_at, length, "
    + "file_name, refresh.seconds, refresh.url, refresh, title, title_source, card.title, card.description, card.image, "
    + "card.site_name, card.canonical, card.type, card.icon, card.language, card.author, card.published, card.feeds, "
    + "card.modified, card.images, card.amphtml, card.theme_color, card.robots, card.oembed, "
    + "card.embed.type, card.embed.title, card.embed.author_name, card.embed.author_url, card.embed.provider_name, card.embed.provider_url, card.embed.url, "
    + "card.embed.thumbnail_url, card.embed.thumbnail_width, card.embed.thumbnail_height, card.embed.width, card.embed.height, card.embed.html, card.embed, "
    + "card.sources.title, card.sources.description, card.sources.image, card.sources.site_name, "
    + "card.sources.canonical, card.sources.type, card.sources.icon, card.sources.language, card.sources.author, "
    + "card.sources.published, card.sources.feeds, card.sources.modified, card.sources.images, "
    + "card.sources.amphtml, card.sources.theme_color, card.sources.robots, card.sources.oembed, "
    + "card.sources.embed, card.sources, card.embed_error.kind, card.embed_error.message, card.embed_error, card, value, "
    + "warnings, steps, trace.aggregator, trace.fetcher, trace.decoder, trace, error.kind, error.stage, "
    + "error.message, error.retryable, error.given_up, error, attempts, ms, cached, age, revalidated, kept, kept.NAME"

  static let refusals: [(fields: String, problem: String)] = [
    ("url,titel", "rows have no member 'titel' — did you mean 'title'? they can have \(list)"),
    ("card.pictures", "rows have no member 'card.pictures'; they can have \(list)"),
    ("kept.id", "'kept.id' needs --keep id"),
  ]

  @Test(arguments: refusals)
  func `a field that no row has is refused with the list`(row: (fields: String, problem: String)) {
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
    #expect(arguments.wantsSummary(standardErrorIsTerminal: row.terminal) == row.summary)
  }
}
