import Assembly
import Pipeline
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
