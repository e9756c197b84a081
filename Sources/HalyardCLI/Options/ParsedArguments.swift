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

  let command: CommandSpec
  var operands: [String] = []
  private var settings: [String: Setting] = [:]
  /// Settings for single hosts, as far as the command has options for them.
  private(set) var hosts: [HostSetting] = []

  init(command: CommandSpec) {
    self.command = command
  }

  /// The option's value: the command line's, else the environment's, else that of a file of settings, else its default.
  subscript<Value>(option: TypedOption<Value>) -> Value {
    settings[option.spec.name].flatMap { option.read($0.value) } ?? option.fallback
  }

  /// Where the option's value came from; nil for its default.
  func origin<Value>(of option: TypedOption<Value>) -> Origin? {
    settings[option.spec.name]?.origin
  }

  func origin(of option: OptionSpec) -> Origin? { settings[option.name]?.origin }

  /// The value given for the option; nil for its default.
  func value(of option: OptionSpec) -> OptionValue? { settings[option.name]?.value }

  func isSet(_ option: OptionSpec) -> Bool {
    settings[option.name] != nil
  }

  func isOnCommandLine(_ option: OptionSpec) -> Bool {
    settings[option.name]?.origin == .commandLine
  }

  /// Whether both say the same about an option, wherever they have it from.
  func agrees(with other: ParsedArguments, on option: OptionSpec) -> Bool {
    settings[option.name]?.value == other.settings[option.name]?.value
  }

  /// The last value wins; repeated texts add up.
  mutating func set(_ option: OptionSpec, to value: OptionValue, from origin: Origin) {
    var value = value
    if case .list(let more) = value, [.repeated, .lines, .requirements].contains(option.kind),
      case .list(let earlier) = settings[option.name]?.value
    {
      value = .list(earlier + more)
    }
    settings[option.name] = Setting(value: value, origin: origin)
  }

  /// Takes a setting for a host, unless there is one already.
  mutating func add(_ setting: HostSetting) {
    guard command.options.contains(where: { $0.name == setting.key.option.name }) else { return }
    if !hosts.contains(where: { $0.host == setting.host && $0.key == setting.key }) { hosts.append(setting) }
  }

  /// The error for a value that parses but is not valid, such as an impossible address range.
  func rejection<Value>(of option: TypedOption<Value>, _ words: String) -> UsageError {
    switch origin(of: option) {
    case .environment: .badVariable(option.spec, words, command: command)
    case .file(let place): .badSetting(place, "\(option.spec.name): \(words)")
    case .commandLine, nil: .badValue(option.spec, words, command: command)
    }
  }
}
