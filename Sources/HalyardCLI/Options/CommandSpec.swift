/// What a command takes besides options.
enum Operands: Hashable, Sendable {
  case none
  case links
  /// One of them, always.
  case link
  /// One or more, always.
  case files
  case command
  /// The id or name of a batch, always.
  case batch
  case optionalBatch
  /// The id of a job, or its link, always.
  case job
  /// The id of a worker or a part of it, always.
  case worker
  /// Which workers of a fleet, and how many of them, always.
  case scale
  /// The name or file of a recipe.
  case recipe
  /// Options for others, behind `--`.
  case workerOptions
  /// The name of a shell, always.
  case shell
  /// A directory to write into, always.
  case directory
  /// What to do with the ledger, always, and the file for its copy.
  case ledgerVerb

  /// How a usage line shows them.
  var usage: String {
    switch self {
    case .none: ""
    case .links: " [URL…]"
    case .link: " URL"
    case .files: " FILE…"
    case .command: " [COMMAND]"
    case .batch: " BATCH"
    case .optionalBatch: " [BATCH]"
    case .job: " ID|LINK"
    case .worker: " WORKER"
    case .scale: " fetchers|decoders N"
    case .recipe: " RECIPE"
    case .workerOptions: " [-- WORKER OPTION…]"
    case .shell: " bash|zsh|fish"
    case .directory: " DIRECTORY"
    case .ledgerVerb: " \(LedgerVerb.list) [FILE]"
    }
  }
}

extension Operands {
  /// The operand that a command line must have; nil if it needs none.
  var needed: String? {
    switch self {
    // A recipe is not needed where the built-in ones are listed.
    case .none, .links, .command, .optionalBatch, .workerOptions, .recipe: nil
    case .link: "link"
    case .files: "file"
    case .batch: "batch"
    case .job: "job"
    case .worker: "worker"
    case .scale: "role"
    case .shell: "shell"
    case .directory: "directory"
    case .ledgerVerb: "verb"
    }
  }
}

/// A command line that works as written, and what it does.
struct Example: Hashable, Sendable {
  var command: String
  var effect: String
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
  var examples: [Example]
  /// Does what it is for.
  let run: Run

  /// Every command that has settings can be told which file they come from.
  init(
    name: String, summary: String, description: [String], operands: Operands, rowFields: [String] = [],
    options: [OptionSpec], examples: [Example], run: @escaping Run
  ) {
    self.run = run
    (self.name, self.summary, self.description) = (name, summary, description)
    (self.operands, self.rowFields, self.examples) = (operands, rowFields, examples)
    let own = options.filter { $0 != .help }
    self.options = own + (own.isEmpty ? [] : [.config]) + options.filter { $0 == .help }
  }

  /// `halyard title [OPTION…] [URL…]`.
  var usage: String { "halyard \(name) [OPTION…]\(operands.usage)" }
}

extension CommandSpec: Equatable {
  static func == (left: CommandSpec, right: CommandSpec) -> Bool { left.name == right.name }
}
