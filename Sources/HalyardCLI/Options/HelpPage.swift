/// The help of one command, laid out from its row of the table; no line is wider than 100 columns.
struct HelpPage {
  static let width = 100

  private let command: CommandSpec

  init(_ command: CommandSpec) {
    self.command = command
  }

  /// The whole page with its last newline.
  var rendered: String {
    var lines = ["usage: \(command.usage)", ""]
    lines += command.description.map { TextLayout.wrapped($0, width: Self.width) }.joined(separator: [""])
    lines += optionLines
    lines += ["", "Examples"]
    lines += Self.indentedRows(command.examples.map { ($0.key, $0.value) })
    let notes = self.notes
    if !notes.isEmpty { lines.append("") }
    for note in notes { lines += TextLayout.wrapped(note, width: Self.width) }
    return lines.joined(separator: "\n") + "\n"
  }

  private var optionLines: [String] {
    let column = command.options.map { Self.left($0).count }.max() ?? 0
    return OptionGroup.allCases.flatMap { group -> [String] in
      let options = command.options.filter { $0.group == group }
      guard !options.isEmpty else { return [] }
      let rows = options.map { (Self.left($0), Self.explanation(of: $0)) }
      return ["", group.rawValue] + TextLayout.rows(rows, width: Self.width, column: column)
    }
  }

  private static func left(_ option: OptionSpec) -> String {
    let short = option.short.map { "-\($0), " } ?? "    "
    let value = option.placeholder.isEmpty ? "" : " \(option.placeholder)"
    return "  \(short)\(option.flag)\(value)"
  }

  /// What there is to say about an option: its summary, values and default.
  static func explanation(of option: OptionSpec) -> String {
    var remarks: [String] = []
    let words = option.kind.words
    if !words.isEmpty { remarks.append(words.joined(separator: ", ")) }
    if let negation = option.negation { remarks.append("undone by \(negation)") }
    if let defaultText = option.defaultText { remarks.append("default \(defaultText)") }
    return remarks.isEmpty ? option.summary : "\(option.summary) (\(remarks.joined(separator: "; ")))"
  }

  /// Explains the units in use and the variables.
  var notes: [String] {
    var notes: [String] = []
    if !command.rowFields.isEmpty {
      let fields = command.rowFields.joined(separator: ",")
      notes.append("Without --fields, jsonl has the whole row, and csv and tsv have \(fields).")
    }
    if let example = command.options.first(where: { $0.variable != nil }), let variable = example.variable {
      notes.append(
        "Many options have variables for their defaults: \(variable) for \(example.flag), and so on.")
    }
    let units = [Measure.time, .size].compactMap(\.note)
    return notes + units.filter { unit in command.options.contains { $0.kind.note == unit } }
  }

  /// - Parameter topic: The name of a command, or `environment`; nil for all commands.
  static func text(on topic: String?) throws(UsageError) -> String {
    guard let topic else { return main }
    if topic == EnvironmentPage.topic { return EnvironmentPage.rendered }
    return HelpPage(try Invocation.command(named: topic, words: ["help", topic])).rendered
  }

  static let summary = "follows links to where they lead and tells what is there"

  static let options = [
    ("-h, --help", "Show this help"),
    ("    --version", "Show the version; with --verbose as 'version' does"),
  ]

  static let exitCodes = [
    ("0", "every job ended well"), ("1", "the run is complete, some jobs failed"),
    ("64", "the command line makes no sense"),
    ("65", "the input cannot be read, or the output written"),
    ("69", "the ledger or the fleet cannot be used"), ("70", "a fault of halyard itself"),
    ("130, 143", "ended by Ctrl-C or SIGTERM; workers, up and serve end with 0 when they have finished"),
  ]

  /// Files that are used where no option names another one.
  static let files = [
    ("$XDG_CONFIG_HOME/halyard/config.toml", "the user's settings; else in ~/.config"),
    (SettingsSource.systemFile, "the settings of all users"),
    ("$XDG_CACHE_HOME/halyard/results.db", "what --cache keeps; else in ~/.cache"),
    ("$XDG_STATE_HOME/halyard/fleet", "the run directory of a fleet; else in ~/.local/state"),
    ("$XDG_STATE_HOME/halyard/fleet/ledger.db", "the fleet's ledger"),
  ]

  fileprivate static func indentedRows(_ rows: [(String, String)]) -> [String] {
    TextLayout.rows(rows.map { ("  \($0.0)", $0.1) }, width: width)
  }

  /// What `halyard --help` shows.
  static let main: String = {
    let lines =
      [
        "halyard \(halyardVersion): \(summary)", "",
        "usage: \(CommandTable.usage)", "", "Commands",
      ] + commandRows + ["", "Options"] + indentedRows(options) + ["", "Examples"]
      + indentedRows(CommandTable.jobCommands.compactMap { $0.examples.first.map { ($0.key, $0.value) } })
      + ["", "Exit codes"] + indentedRows(exitCodes)
      + [
        "", "Rows go to standard output, everything else to standard error.",
        "'halyard COMMAND --help' shows the options of a command.",
      ]
    return lines.joined(separator: "\n") + "\n"
  }()

  /// What `halyard` alone says.
  static let short: String = {
    let lines =
      ["usage: \(CommandTable.usage)", "", "Commands"] + commandRows + ["", "try:   halyard --help"]
    return lines.joined(separator: "\n") + "\n"
  }()

  private static var commandRows: [String] {
    indentedRows(CommandTable.commands.map { ($0.name, $0.summary) })
  }
}

/// What `halyard help environment` shows: every variable that changes what a command does.
enum EnvironmentPage {
  static let topic = "environment"

  private static let others = [
    ("NO_COLOR", "no colours, when it is not empty"),
    ("TERM", "no colours and no progress line, when it is dumb"),
    ("XDG_CONFIG_HOME", "where the user's settings are, else ~/.config"),
    ("XDG_CACHE_HOME", "where --cache keeps answers, else ~/.cache"),
    ("XDG_STATE_HOME", "where fleets keep their files, else ~/.local/state"),
    ("SOURCE_DATE_EPOCH", "the date of manual pages, in seconds since 1970"),
    ("NOTIFY_SOCKET, WATCHDOG_USEC, JOURNAL_STREAM", "set by systemd for its services"),
  ]

  static var rendered: String {
    var options: [String: OptionSpec] = [:]
    for option in CommandTable.commands.flatMap(\.options) {
      if let variable = option.variable, options[variable] == nil { options[variable] = option }
    }
    let own = options.sorted { $0.key < $1.key }.map { ($0.key, $0.value.flag) }
    let introduction =
      "A variable stands for an option that the command line does not give; options of the command line win, and"
      + " variables win over files of settings. 'halyard COMMAND --help' says what each option does. Options that may be given"
      + " again take several values, separated by commas or spaces; HALYARD_HEADER and HALYARD_COOKIE take one a line."
    let lines =
      TextLayout.wrapped(introduction, width: HelpPage.width) + ["", "Variables of options"]
      + HelpPage.indentedRows(own) + ["", "Others"]
      + HelpPage.indentedRows(others)
    return lines.joined(separator: "\n") + "\n"
  }
}

/// Wraps and aligns the plain text of help pages.
enum TextLayout {
  /// Breaks a paragraph at spaces; a word that is wider than a line stands alone.
  static func wrapped(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, line.count + 1 + word.count > width {
        lines.append(line)
        line = ""
      }
      line += line.isEmpty ? String(word) : " \(word)"
    }
    return line.isEmpty ? lines : lines + [line]
  }

  /// Two columns: the left one as wide as its widest entry or `column`, the right one wrapped beside it.
  static func rows(_ rows: [(left: String, right: String)], width: Int, column: Int = 0) -> [String] {
    let indent = max(column, rows.map(\.left.count).max() ?? 0) + 2
    return rows.flatMap { row in
      wrapped(row.right, width: max(width - indent, 20)).enumerated().map { index, line in
        let left = index == 0 ? row.left : ""
        return left + String(repeating: " ", count: indent - left.count) + line
      }
    }
  }
}
