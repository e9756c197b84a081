import Pipeline

/// What was given for an option, and where.
struct Setting: Sendable {
  /// Errors about the value name this.
  enum Origin: Hashable, Sendable {
    case file(SettingPlace)
    case environment
    case commandLine
  }

  let option: OptionSpec
  fileprivate(set) var value: OptionValue
  let origin: Origin
  /// The host, or the sub-domains of one, for which alone it counts; nil when it counts for all.
  var host: HostPattern?

  var key: String { option.key(for: host) }
}

/// The arguments of one command, read and checked option by option.
struct ParsedArguments: Sendable {
  private(set) var command: CommandSpec
  /// What they are read from, beside files of settings: the words behind the command's name, and the variables.
  let words: [String]
  let environment: [String: String]
  var operands: [String] = []
  private var settings: [Setting] = []

  init(command: CommandSpec, words: [String], environment: [String: String]) {
    (self.command, self.words, self.environment) = (command, words, environment)
  }

  /// The option's value: the command line's, else the environment's, else that of a file of settings, else its default.
  subscript<Value>(option: Option<Value>) -> Value {
    value(of: option)?.read() ?? option.fallback
  }

  /// Where the option's value came from; nil for its default.
  func origin(of option: some OptionRow) -> Setting.Origin? { setting(of: option)?.origin }

  /// The value given for the option; nil for its default.
  func value(of option: some OptionRow) -> OptionValue? { setting(of: option)?.value }

  /// What is given for the option; nil for its default.
  func setting(of option: some OptionRow) -> Setting? {
    let name = option.spec.name
    return settings.first { $0.option.name == name && $0.host == nil }
  }

  /// Settings for single hosts, as far as the command has options for them.
  var hosts: [Setting] { settings.filter { $0.host != nil } }

  /// Whether any of the options is given, wherever that is.
  func isSet(_ options: some OptionRows) -> Bool { options.specs.contains { setting(of: $0) != nil } }

  func isOnCommandLine(_ options: some OptionRows) -> Bool {
    options.specs.contains { origin(of: $0) == .commandLine }
  }

  /// The last value wins; repeated texts add up.
  mutating func set(_ option: OptionSpec, to value: OptionValue, from origin: Setting.Origin) {
    let earlier = option.kind.addsUp ? self.value(of: option) : nil
    settings.removeAll { $0.option.name == option.name && $0.host == nil }
    settings.append(
      Setting(option: option, value: OptionValue([earlier, value].compactMap(\.self)), origin: origin))
  }

  /// Takes a setting, if the command has a use for it, unless there is one already.
  mutating func add(_ setting: Setting) {
    if command.options.contains(where: { $0.name == setting.option.name }) { settings.add(setting) }
  }

  /// The same, with room for more options.
  func having(_ options: [OptionSpec]) -> ParsedArguments {
    var result = self
    result.command.options += options.filter { !command.options.contains($0) }
    return result
  }

  /// Refuses arguments that do not go together.
  func require(_ condition: Bool, _ words: @autoclosure () -> String) throws(UsageError) {
    if !condition { throw UsageError(words(), command: command) }
  }

  /// Refuses what an option says beside other arguments, or where it is now.
  func require(
    _ condition: Bool, of option: some OptionRow, _ words: @autoclosure () -> String
  ) throws(UsageError) {
    if !condition { throw rejection(of: option, words()) }
  }

  /// Refuses options of the command line, which variables and files may set for other commands.
  func refuse(_ options: some OptionRows, _ words: String) throws(UsageError) {
    for option in options.specs where isOnCommandLine(option) {
      throw .badValue(option, words, command: command)
    }
  }

  /// How a command line gives the same values of options, each of its texts as `spelled`.
  func words(of options: some OptionRows, spelled: (String) -> String = { $0 }) -> [String] {
    options.specs.flatMap { option in
      let texts = value(of: option)?.texts ?? []
      guard option.kind.takesValue else {
        return texts.compactMap { $0 == "true" ? option.flag : option.negation }
      }
      // What looks like an option is no value of the one before it.
      return texts.map(spelled).flatMap { $0.hasPrefix("--") ? ["\(option.flag)=\($0)"] : [option.flag, $0] }
    }
  }

  /// The error for a value that parses but is not valid, such as an impossible address range.
  func rejection(of option: some OptionRow, _ words: String) -> UsageError {
    rejection(of: option, from: origin(of: option), words)
  }

  func rejection(of option: some OptionRow, from origin: Setting.Origin?, _ words: String) -> UsageError {
    switch origin {
    case .environment: .badVariable(option.spec, words, command: command)
    case .file(let place): .badSetting(place, "\(option.spec.name): \(words)")
    case .commandLine, nil: .badValue(option, words, command: command)
    }
  }
}

extension [Setting] {
  /// Takes a setting, unless there is one of its option already, for the same hosts.
  mutating func add(_ setting: Setting) {
    if !contains(where: { $0.host == setting.host && $0.option.name == setting.option.name }) {
      append(setting)
    }
  }
}
