import Assembly
package import Pipeline
import Posix
import Roles

/// The processes of a fleet that `up` runs, and how each is started.
struct FleetPlan: Sendable {
  private let program: String
  /// What every worker is given.
  private let shared: [String]
  /// How fetchers and decoders reach the aggregator.
  private let reach: [String]
  private let listen: [String]
  /// Options behind `--`, by the command's name.
  private let more: [String: [String]]
  private let counts: [Role: Int]

  init(_ arguments: ParsedArguments, directory: String, _ place: FleetPlace) throws(UsageError) {
    program = programPath() ?? "halyard"
    more = try WorkerOptions.split(arguments.operands, of: arguments.command)
    shared =
      [FleetOption.runDirectory.flag, directory, FleetOption.untilInputEnds.flag]
      + arguments.words(of: ConfigOption.config, spelled: absolutePath) + Self.security(arguments)
      + arguments.words(of: LinkOption.logFormat)
    // The aggregator serves its metrics behind those of `up`.
    listen =
      [FleetOption.listen.flag, place.address.text]
      + arguments.words(of: FleetOption.ledger, spelled: absolutePath)
      + (arguments[FleetOption.metrics].map { [FleetOption.metrics.flag, $0.next.text] } ?? [])
    let bind = place.directory == nil ? [FleetOption.bind.flag, "tcp://127.0.0.1:0"] : []
    reach = [FleetOption.fleet.flag, place.address.text] + bind
    counts = [.decoder: arguments[FleetOption.decoders], .fetcher: arguments[FleetOption.fetchers]]
  }

  /// Fetchers end first, as long as there are decoders for their pages, and the aggregator last, which takes the last
  /// results.
  var all: [ChildPlan] {
    [plan(.aggregator, Role.aggregator.name, listen, stage: 2)]
      + [Role.decoder, .fetcher].flatMap { role in (0..<(counts[role] ?? 0)).map { worker(role, $0 + 1) } }
  }

  /// A fetcher or a decoder.
  func worker(_ role: Role, _ number: Int) -> ChildPlan {
    plan(role, ChildPlan.name(role.name, number), reach, stage: role == .fetcher ? 0 : 1)
  }

  private func plan(_ role: Role, _ name: String, _ own: [String], stage: Int) -> ChildPlan {
    ChildPlan(
      name: name, program: program, arguments: [role.name] + shared + own + (more[role.name] ?? []),
      stage: stage)
  }

  /// Workers may run in another directory.
  static func security(_ arguments: ParsedArguments) -> [String] {
    arguments.words(of: FleetOption.keys, spelled: absolutePath)
  }
}

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

/// What a worker process is built with. A program for tests puts in between what fails on purpose.
package struct WorkerFittings: Sendable {
  package var transport: @Sendable (any Transport) -> any Transport = { $0 }
  package var ledger: @Sendable (any Ledger) -> any Ledger = { $0 }
  /// Told of each document that a decoder is about to read.
  package var reading: @Sendable (Document) -> Void = { _ in }
  package var fetching: @Sendable (any Fetching) -> any Fetching = { $0 }
  /// What it says that it is.
  package var program = WorkerProgram(version: halyardVersion)
  /// Changes frames on their way in and out, or drops them; nil for never.
  package var frames: (@Sendable ([UInt8]) -> [UInt8]?)?

  package init() {}
}
