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
    lines += TextLayout.rows(command.examples.map { ("  \($0.command)", $0.effect) }, width: Self.width)
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
    if case .choice(let words) = option.kind { remarks.append(words.joined(separator: ", ")) }
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
    let kinds = command.options.map(\.kind)
    if let example = command.options.first(where: { $0.fromEnvironment }), let variable = example.variable {
      notes.append(
        "Many options have variables for their defaults: \(variable) for \(example.flag), and so on.")
    }
    if kinds.contains(where: { if case .duration = $0 { true } else { false } }) {
      notes.append("TIME is 500ms, 30s, 2m or 1h; a bare number counts seconds.")
    }
    if kinds.contains(where: { if case .byteSize = $0 { true } else { false } }) {
      notes.append("SIZE is a number of bytes, or 64K, 8MiB, 1G; K, M and G count in 1024.")
    }
    return notes
  }
}

extension HelpPage {
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
    ("130, 143", "ended by Ctrl-C or SIGTERM"),
  ]

  /// Files that are used where no option names another one.
  static let files = [
    ("$XDG_CONFIG_HOME/halyard/config.toml", "the user's settings; else in ~/.config"),
    (SettingsSource.systemFile, "the settings of all users"),
    ("$XDG_CACHE_HOME/halyard/results.db", "what --cache keeps; else in ~/.cache"),
    ("$XDG_STATE_HOME/halyard/fleet", "the run directory of a fleet; else in ~/.local/state"),
    ("$XDG_STATE_HOME/halyard/fleet/ledger.db", "the fleet's ledger"),
  ]

  private static func indentedRows(_ rows: [(String, String)]) -> [String] {
    TextLayout.rows(rows.map { ("  \($0.0)", $0.1) }, width: width)
  }

  /// What `halyard --help` shows.
  static let main: String = {
    let lines =
      [
        "halyard \(halyardVersion): \(summary)", "",
        "usage: \(CommandTable.usage)", "", "Commands",
      ] + commandRows + ["", "Options"] + indentedRows(options) + ["", "Examples"]
      + TextLayout.rows(
        CommandTable.jobCommands.compactMap { command in
          command.examples.first.map { ("  \($0.command)", $0.effect) }
        }, width: width)
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
    TextLayout.rows(CommandTable.commands.map { ("  \($0.name)", $0.summary) }, width: width)
  }
}
