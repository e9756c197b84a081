/// The arguments of one command, read and checked option by option.
struct ParsedArguments: Sendable {
  /// Where a value came from; errors about it name this.
  enum Origin: Hashable, Sendable {
    case file(SettingPlace)
    case environment
    case commandLine
  }

  private struct Setting: Sendable {
    var value: OptionValue
    var origin: Origin
  }

  private(set) var command: CommandSpec
  var operands: [String] = []
  private var settings: [String: Setting] = [:]
  /// Settings for single hosts, as far as the command has options for them.
  private(set) var hosts: [HostSetting] = []

  init(command: CommandSpec) {
    self.command = command
  }

  /// The option's value: the command line's, else the environment's, else that of a file of settings, else its default.
  subscript<Value>(option: Option<Value>) -> Value {
    settings[option.name].flatMap { option.read($0.value) } ?? option.fallback
  }

  /// Where the option's value came from; nil for its default.
  func origin(of option: OptionSpec) -> Origin? { settings[option.name]?.origin }

  /// The value given for the option; nil for its default.
  func value(of option: OptionSpec) -> OptionValue? { settings[option.name]?.value }

  /// Whether any of the options is given, wherever that is.
  func isSet(_ options: some OptionRows) -> Bool { options.specs.contains { settings[$0.name] != nil } }

  func isOnCommandLine(_ options: some OptionRows) -> Bool {
    options.specs.contains { settings[$0.name]?.origin == .commandLine }
  }

  /// The last value wins; repeated texts add up.
  mutating func set(_ option: OptionSpec, to value: OptionValue, from origin: Origin) {
    var value = value
    if case .list(let more) = value, option.kind.addsUp,
      case .list(let earlier) = settings[option.name]?.value
    {
      value = .list(earlier + more)
    }
    settings[option.name] = Setting(value: value, origin: origin)
  }

  /// The same, with room for more options.
  func having(_ options: [OptionSpec]) -> ParsedArguments {
    var result = self
    result.command.options += options.filter { !command.options.contains($0) }
    return result
  }

  /// Takes a setting for a host, if the command has a use for it, unless there is one already.
  mutating func add(_ setting: HostSetting) {
    if command.options.contains(where: { $0.name == setting.option.name }) { hosts.add(setting) }
  }

  /// The error for a value that parses but is not valid, such as an impossible address range.
  func rejection(of option: OptionSpec, _ words: String) -> UsageError {
    switch origin(of: option) {
    case .environment: .badVariable(option, words, command: command)
    case .file(let place): .badSetting(place, "\(option.name): \(words)")
    case .commandLine, nil: .badValue(option, words, command: command)
    }
  }

  func rejection<Value>(of option: Option<Value>, _ words: String) -> UsageError {
    rejection(of: option.spec, words)
  }
}
