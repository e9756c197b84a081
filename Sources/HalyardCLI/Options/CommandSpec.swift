import Recipes

/// What a command takes besides options. Two are equal that are shown alike.
struct Operands: Sendable {
  /// How a usage line shows them.
  let usage: String
  /// The operand that a command line must have; nil if it needs none.
  let needed: String?
  let most: Int
  /// What shells offer. Not before they ask: commands are among it.
  let offers: @Sendable () -> Offers

  private init(
    _ usage: String, needed: String? = nil, most: Int = 1,
    offers: @escaping @Sendable () -> Offers = { Offers() }
  ) {
    (self.usage, self.needed, self.most, self.offers) = (usage, needed, most, offers)
  }

  static let none = Operands("", most: 0)
  static let links = Operands(" [URL…]", most: .max)
  static let link = Operands(" URL", needed: "link")
  static let files = Operands(" FILE…", needed: "file", most: .max) { Offers(paths: .files) }
  static let command: Operands = .init(" [COMMAND]") {
    Offers(CommandTable.commands.map(\.name) + [EnvironmentPage.topic])
  }
  /// The id or name of a batch.
  static let batch = Operands(" BATCH", needed: "batch")
  static let optionalBatch = Operands(" [BATCH]")
  static let job = Operands(" ID|LINK", needed: "job")
  /// The id of a worker or a part of it.
  static let worker = Operands(" WORKER", needed: "worker")
  /// Which workers of a fleet, and how many of them.
  static let scale = Operands(" fetchers|decoders N", needed: "role", most: 2) {
    Offers(["fetchers", "decoders"])
  }
  /// The name or file of a recipe, which is not needed where the built-in ones are listed.
  static let recipe = Operands(" RECIPE") {
    Offers(ShippedRecipe.allCases.map(\.rawValue), paths: .files)
  }
  /// Options for others, behind `--`.
  static let workerOptions = Operands(" [-- WORKER OPTION…]", most: 0)
  static let shell = Operands(" bash|zsh|fish", needed: "shell") { Offers(Shell.allCases.map(\.rawValue)) }
  /// A directory to write into.
  static let directory = Operands(" DIRECTORY", needed: "directory") { Offers(paths: .directories) }
  /// What to do with the ledger, and the file for its copy.
  static let ledgerVerb = Operands(" \(LedgerVerb.list) [FILE]", needed: "verb", most: 2) {
    Offers(LedgerVerb.allCases.map(\.rawValue), paths: .files)
  }
}

extension Operands: Equatable {
  static func == (left: Operands, right: Operands) -> Bool { left.usage == right.usage }
}

/// One row of the command table. Two are equal when they have one name.
struct CommandSpec: Sendable {
  typealias Run = @Sendable (CommandContext) async throws -> ExitCode

  var name: String
  /// One line for the list of commands.
  var summary: String
  /// Paragraphs that open the command's help.
  var description: [String]
  var operands: Operands
  /// The members of a row that CSV, TSV and tables show unless the user names others; empty without rows.
  var rowFields: [String] = []
  var options: [OptionSpec]
  /// Command lines that work as written, each with what it does.
  var examples: KeyValuePairs<String, String>
  let run: Run

  /// Every command has help, and one that has settings can be told which file they come from.
  init(
    name: String, summary: String, description: [String], operands: Operands = .none,
    rowFields: [String] = [],
    options: [any OptionRows] = [], examples: KeyValuePairs<String, String>,
    run: @escaping Run
  ) {
    self.run = run
    (self.name, self.summary, self.description) = (name, summary, description)
    (self.operands, self.rowFields, self.examples) = (operands, rowFields, examples)
    let own = options.flatMap { $0.specs }
    self.options = own + (own.isEmpty ? [] : [ConfigOption.config.spec]) + [.help]
  }

  /// `halyard title [OPTION…] [URL…]`.
  var usage: String { "halyard \(name) [OPTION…]\(operands.usage)" }
}

extension CommandSpec: Equatable {
  static func == (left: CommandSpec, right: CommandSpec) -> Bool { left.name == right.name }
}
