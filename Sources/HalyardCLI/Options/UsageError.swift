import Recipes

/// A usage error in three lines: what is wrong, the usage, the next command to type.
struct UsageError: Error, Hashable, Sendable {
  let rendered: String

  init(rendered: String) {
    self.rendered = rendered
  }

  init(_ problem: String, usage: String, next: String) {
    rendered = "halyard: \(problem)\nusage: \(usage)\ntry:   \(next)\n"
  }

  /// The common case: something is wrong with a command's arguments, and its help tells more.
  init(_ problem: String, command: CommandSpec) {
    self.init(problem, usage: command.usage, next: "halyard \(command.name) --help")
  }

  static func badValue(_ option: some OptionRow, _ words: String, command: CommandSpec) -> UsageError {
    UsageError("option '\(option.spec.flag)': \(words)", command: command)
  }

  static func badVariable(_ option: OptionSpec, _ words: String, command: CommandSpec) -> UsageError {
    let name = option.variable ?? option.flag
    return UsageError("environment variable \(name): \(words)", usage: command.usage, next: "unset \(name)")
  }

  static func badSetting(_ place: SettingPlace, _ words: String) -> UsageError {
    UsageError(rendered: "halyard: \(Printable.text("\(place): \(words)"))\n")
  }

  static func missingValue(_ option: OptionSpec, command: CommandSpec) -> UsageError {
    let words = option.kind.words
    let wanted = words.isEmpty ? option.placeholder : words.joined(separator: ", ")
    return UsageError("option '\(option.flag)' needs a value: \(wanted)", command: command)
  }

  static func unknownOption(_ word: String, command: CommandSpec) -> UsageError {
    let known = command.options.flatMap { [$0.flag] + ($0.negation.map { [$0] } ?? []) }
    // '-format' is a common slip for '--format'.
    let meant = word.hasPrefix("--") ? word : "-\(word)"
    if command.operands == .workerOptions, WorkerOptions.known.contains(where: { $0.flag == meant }) {
      return UsageError("option '\(meant)' is for the workers: put it after '--'", command: command)
    }
    let hint = Suggestion.closest(to: meant, among: known).map { " — did you mean '\($0)'?" } ?? ""
    return UsageError("unknown option '\(word)'\(hint)", command: command)
  }
}

/// Words as a POSIX shell takes them.
enum ShellWord {
  /// Quoted when it holds anything but harmless characters.
  static func quoted(_ word: String) -> String {
    let harmless = word.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "-_./:=,@%+".utf8.contains(byte)
      }
    }
    if harmless, !word.isEmpty { return word }
    return "'\(word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#))'"
  }
}
