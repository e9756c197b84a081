/// Reads one command's arguments by its row of the table.
struct ArgumentParser {
  private let command: CommandSpec
  private var words: ArraySlice<String>
  private var parsed: ParsedArguments

  /// Parses the words behind the command's name; `environment`, and then files of settings, give defaults for what they
  /// leave open. Nil if the words ask for help.
  static func parse(
    _ words: ArraySlice<String>, for command: CommandSpec, environment: [String: String],
    settings: SettingsSource = .none
  ) throws(UsageError) -> ParsedArguments? {
    var parser = ArgumentParser(command, words, environment)
    guard try parser.readWords() else { return nil }
    if let needed = command.operands.needed, parser.parsed.operands.isEmpty {
      throw UsageError("no \(needed) given", command: command)
    }
    try parser.readVariables()
    try parser.read(settings, named: parser.parsed[ConfigOption.config])
    return parser.parsed
  }

  /// The values of a command's options if the command line has none.
  ///
  /// - Parameter file: The file that stands for all files of settings.
  static func defaults(
    of command: CommandSpec, _ environment: [String: String], _ settings: SettingsSource, _ file: String?
  ) throws(UsageError) -> ParsedArguments {
    var parser = ArgumentParser(command, [], environment)
    try parser.readVariables()
    try parser.read(settings, named: file)
    return parser.parsed
  }

  private init(_ command: CommandSpec, _ words: ArraySlice<String>, _ environment: [String: String]) {
    (self.command, self.words) = (command, words)
    parsed = ParsedArguments(command: command, words: Array(words), environment: environment)
  }

  /// False if the words ask for help.
  private mutating func readWords() throws(UsageError) -> Bool {
    while let word = words.popFirst() {
      if word == "--", command.operands == .workerOptions {
        parsed.operands += words
        return true
      } else if word == "--" {
        for operand in words { try add(operand) }
        return true
      } else if word == "--help" || word == "-h" {
        return false
      } else if word.hasPrefix("--") {
        try readLong(word)
      } else if word.hasPrefix("-"), word != "-" {
        try readShort(word)
      } else {
        try add(word)
      }
    }
    return true
  }

  private mutating func readLong(_ word: String) throws(UsageError) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let flag = parts.first.map(String.init) ?? word
    let attached = parts.count == 2 ? String(parts[1]) : nil
    if let option = command.options.first(where: { $0.flag == flag }) {
      try read(option, attached: attached)
    } else if let option = command.options.first(where: { $0.negation == flag }) {
      guard attached == nil else { throw noValue(flag) }
      parsed.set(option, to: .flag(false), from: .commandLine)
    } else {
      throw .unknownOption(flag, command: command)
    }
  }

  /// `-o FILE` or `-oFILE`.
  private mutating func readShort(_ word: String) throws(UsageError) {
    let letter = word.dropFirst().first
    guard let option = command.options.first(where: { $0.short == letter && letter != nil }) else {
      throw .unknownOption(word, command: command)
    }
    let rest = String(word.dropFirst(2))
    guard rest.isEmpty || option.kind.takesValue else { throw .unknownOption(word, command: command) }
    try read(option, attached: rest.isEmpty ? nil : rest)
  }

  private mutating func read(_ option: OptionSpec, attached: String?) throws(UsageError) {
    guard option.kind.takesValue else {
      guard attached == nil else { throw noValue(option.flag) }
      return parsed.set(option, to: .flag(true), from: .commandLine)
    }
    guard let text = attached ?? nextValue() else { throw .missingValue(option, command: command) }
    try set(option, from: .commandLine) { () throws(ValueProblem) in try option.kind.read(text) }
  }

  private mutating func set(
    _ option: OptionSpec, from origin: Setting.Origin, _ read: () throws(ValueProblem) -> OptionValue
  ) throws(UsageError) {
    do {
      parsed.set(option, to: try read(), from: origin)
    } catch {
      throw parsed.rejection(of: option, from: origin, error.words)
    }
  }

  /// A word that looks like a long option is not taken for a value; `--name=--value` passes one.
  private mutating func nextValue() -> String? {
    guard let next = words.first, !next.hasPrefix("--") else { return nil }
    words.removeFirst()
    return next
  }

  private mutating func add(_ operand: String) throws(UsageError) {
    guard parsed.operands.count < command.operands.most else {
      throw UsageError("unexpected argument '\(operand)'", command: command)
    }
    parsed.operands.append(operand)
  }

  private mutating func readVariables() throws(UsageError) {
    for option in command.options where !parsed.isSet(option) {
      guard let variable = option.variable, let text = parsed.environment[variable], !text.isEmpty else {
        continue
      }
      try set(option, from: .environment) { () throws(ValueProblem) in try option.kind.readVariable(text) }
    }
  }

  private mutating func read(_ source: SettingsSource, named file: String?) throws(UsageError) {
    guard command.options.contains(ConfigOption.config.spec) else { return }
    for file in try source.files(file) {
      for setting in file.settings(of: command) { parsed.add(setting) }
    }
  }

  private func noValue(_ flag: String) -> UsageError {
    UsageError("option '\(flag)' takes no value", command: command)
  }
}
