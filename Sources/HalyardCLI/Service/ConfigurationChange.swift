/// How a worker's configuration differs from what it was before, by the names of options. A pure value.
struct ConfigurationChange: Hashable, Sendable {
  private(set) var applied: Set<String> = []
  private(set) var needsRestart: Set<String> = []

  /// - Parameter started: What the process was started with, which what needs a restart is compared with; nil when that is `old`.
  init(from old: ParsedArguments, to new: ParsedArguments, of started: ParsedArguments? = nil) {
    let started = started ?? old
    for option in new.command.options {
      let former = option.marks.contains(.reread) ? old : started
      if former.value(of: option) != new.value(of: option) { add(option) }
    }
    if Set(started.hosts.map(\.text)) != Set(new.hosts.map(\.text)) {
      needsRestart.insert(SettingsFile.hostsKey)
    }
  }

  /// - Parameter options: Those whose files hold something else.
  mutating func add(_ options: some OptionRows) {
    for option in options.specs {
      if option.marks.contains(.reread) {
        applied.insert(option.name)
      } else {
        needsRestart.insert(option.name)
      }
    }
  }

  /// - Parameter name: An option that could change, but not in this way.
  mutating func needRestart(_ name: String) {
    applied.remove(name)
    needsRestart.insert(name)
  }

  var isEmpty: Bool { applied.isEmpty && needsRestart.isEmpty }
}
