/// Options behind `--`, each for the workers that have it.
enum WorkerOptions {
  /// Options that `up` sets itself.
  private static let taken = [OptionSpec](
    FleetOption.runDirectory, FleetOption.listen, FleetOption.fleet, FleetOption.bind, FleetOption.ledger,
    FleetOption.keys, FleetOption.metrics, FleetOption.untilInputEnds, LinkOption.logFormat,
    ConfigOption.config, OptionSpec.help)

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
    guard let given = try ArgumentParser.parse(words[...], for: union, environment: [:]) else {
      throw .unknownOption(OptionSpec.help.flag, command: union)
    }
    return Dictionary(
      uniqueKeysWithValues: CommandTable.workers.map { worker in
        (worker.name, given.words(of: known.filter(worker.options.contains)))
      })
  }
}
