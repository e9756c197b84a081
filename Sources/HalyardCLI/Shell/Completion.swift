import Recipes

/// The shells that halyard has completions for.
enum Shell: String, CaseIterable, Sendable {
  case bash
  case zsh
  case fish

  func completions(of commands: [CommandSpec]) -> String {
    switch self {
    case .bash: BashCompletion(commands).script
    case .zsh: ZshCompletion(commands).script
    case .fish: FishCompletion(commands).script
    }
  }
}

/// What a shell offers where a value is due.
struct Completion: Hashable, Sendable {
  enum Paths: Hashable, Sendable {
    case none
    case files
    case directories
  }

  var words: [String] = []
  var paths = Paths.none
}

extension OptionSpec {
  var completion: Completion {
    if case .choice(let words) = kind { return Completion(words: words) }
    return switch placeholder {
    case "FILE": Completion(paths: .files)
    case "DIR": Completion(paths: .directories)
    default: Completion()
    }
  }

  /// The spellings of an option on a command line.
  var flags: [String] { [flag] + (short.map { ["-\($0)"] } ?? []) }

  /// May be given more than once.
  var isRepeatable: Bool {
    switch kind {
    case .repeated, .lines, .requirements: true
    case .flag, .text, .names, .integer, .integerOrNever, .duration, .byteSize, .percent, .choice, .selector:
      false
    }
  }

  /// The summary's first clause, for shells that show it beside the option.
  var brief: String { Self.clause(of: summary, atMost: 76) }

  private static func clause(of text: String, atMost width: Int) -> String {
    let words = text.split(separator: " ")
    let end = words.firstIndex { $0.hasSuffix(".") || $0.hasSuffix(";") }
    let clause = words[...(end ?? words.count - 1)].joined(separator: " ")
    let line = TextLayout.wrapped(clause, width: width).first ?? ""
    guard line.count == clause.count else { return "\(line)…" }
    return end == nil ? clause : String(clause.dropLast())
  }
}

extension Operands {
  var completion: Completion {
    switch self {
    case .none, .links, .link, .batch, .optionalBatch, .job, .worker, .workerOptions: Completion()
    case .scale: Completion(words: ["fetchers", "decoders"])
    case .command: Completion(words: CommandTable.commands.map(\.name) + [EnvironmentPage.topic])
    case .recipe: Completion(words: ShippedRecipe.allCases.map(\.rawValue), paths: .files)
    case .shell: Completion(words: Shell.allCases.map(\.rawValue))
    case .directory: Completion(paths: .directories)
    case .files: Completion(paths: .files)
    case .ledgerVerb: Completion(words: LedgerVerb.allCases.map(\.rawValue), paths: .files)
    }
  }

  /// What stands for one operand; nil when there is none.
  var placeholder: String? {
    switch self {
    case .none, .workerOptions: nil
    case .links, .link: "URL"
    case .command: "COMMAND"
    case .batch, .optionalBatch: "BATCH"
    case .job: "ID|LINK"
    case .worker: "WORKER"
    case .scale: "fetchers|decoders N"
    case .recipe: "RECIPE"
    case .shell: "SHELL"
    case .directory: "DIRECTORY"
    case .files: "FILE"
    case .ledgerVerb: "VERB"
    }
  }
}
