/// How a worker's configuration differs from what it was before, by the names of options. A pure value.
struct ConfigurationChange: Hashable, Sendable {
  static let changeable = [
    LinkOption.logLevel.name, LinkOption.allowAddress.name, FleetOption.allowKeys.name,
    FleetOption.key.name, FleetOption.alsoKey.name,
  ]

  private(set) var applied: Set<String> = []
  private(set) var needsRestart: Set<String> = []

  init(from old: ParsedArguments, to new: ParsedArguments) {
    for option in new.command.options where old.value(of: option) != new.value(of: option) {
      add(option.name)
    }
    if Set(old.hosts.map(\.said)) != Set(new.hosts.map(\.said)) { add(SettingsFile.hostsKey) }
  }

  /// - Parameter name: An option whose file holds something else.
  mutating func add(_ name: String) {
    if Self.changeable.contains(name) { applied.insert(name) } else { needsRestart.insert(name) }
  }

  /// - Parameter name: An option that could change, but not in this way.
  mutating func needRestart(_ name: String) {
    applied.remove(name)
    needsRestart.insert(name)
  }

  var isEmpty: Bool { applied.isEmpty && needsRestart.isEmpty }
}
