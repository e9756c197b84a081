/// Options behind `--`, each for the workers that have it.
enum WorkerOptions {
  /// Options that `up` sets itself.
  private static let taken = [OptionSpec](
    FleetOption.runDirectory, FleetOption.listen, FleetOption.fleet, FleetOption.bind, FleetOption.ledger,
    FleetOption.key, FleetOption.alsoKey, FleetOption.allowKeys, FleetOption.insecure, FleetOption.metrics,
    FleetOption.untilInputEnds, LinkOption.logFormat, ConfigOption.config, OptionSpec.help)

  /// All that may stand there.
  static let known = CommandTable.workers.flatMap(\.options).reduce(into: [OptionSpec]()) { known, option in
    if !taken.contains(option), !known.contains(where: { $0.name == option.name }) { known.append(option) }
  }

  /// The words for each worker, by the command's name.
  static func split(_ words: [String], of command: CommandSpec) throws(UsageError) -> [String: [String]] {
    var union = command
    union.operands = .none
    union.options = known
    for word in words {
      let flag = word.prefix { $0 != "=" }
      if let own = command.options.first(where: { $0.flag == flag }), !known.contains(own) {
        throw UsageError("option '\(own.flag)' belongs before the '--'", command: command)
      }
    }
    _ = try ArgumentParser.parse(words[...], for: union, environment: [:])
    var split: [String: [String]] = [:]
    var rest = words[...]
    while let word = rest.popFirst() {
      let name = word.dropFirst(2).prefix { $0 != "=" }
      guard let option = known.first(where: { $0.name == name }) else { continue }
      var taken = [word]
      if option.kind.takesValue, !word.contains("="), let value = rest.popFirst() { taken.append(value) }
      for worker in CommandTable.workers where worker.options.contains(where: { $0.name == option.name }) {
        split[worker.name, default: []] += taken
      }
    }
    return split
  }
}
