import Assembly
import JSONQuery
import Pipeline
import Posix
import Roles
import TransportZeroMQ

/// The command `scale`: changes how many workers `up` runs.
struct ScaleCommand {
  private static let roles: [String: Role] = ["fetchers": .fetcher, "decoders": .decoder]
  /// The socket in the run directory at which `up` hears of it.
  static let socket = "control"

  private let arguments: ParsedArguments
  private let directory: String
  private let role: Role
  private let count: UInt32

  init(_ arguments: ParsedArguments) throws(UsageError) {
    self.arguments = arguments
    directory = arguments.runDirectory
    guard let role = Self.roles[arguments.operands[0]] else {
      throw UsageError(
        "'\(arguments.operands[0])' is neither fetchers nor decoders", command: arguments.command)
    }
    try arguments.require(arguments.operands.count > 1, "no number given")
    guard let count = Int(arguments.operands[1]), count >= Self.counts.lowerBound else {
      throw UsageError(
        "'\(arguments.operands[1])' is not a number from 1 to \(Self.counts.upperBound)",
        command: arguments.command)
    }
    if let problem = Self.problem(of: count, processors: processors) {
      throw UsageError(problem, command: arguments.command)
    }
    (self.role, self.count) = (role, UInt32(count))
  }

  /// How many workers of a role this machine may run.
  static let counts = ScalingDesk.counts(processors: processors)

  /// Why a machine may not run so many workers of a role; nil when it may.
  static func problem(of count: Int, processors: Int) -> String? {
    let most = ScalingDesk.counts(processors: processors).upperBound
    guard count > most else { return nil }
    let noun = processors == 1 ? "processor" : "processors"
    return "\(count) are too many: a machine with \(processors) \(noun) may run \(most) of a role"
  }

  static func address(in directory: String) -> Address { Address("ipc://\(directory)/\(socket)") }

  func run() async throws -> ExitCode {
    let there = "--run-dir \(ShellWord.quoted(directory))"
    guard isDirectory(directory), let process = try RunningFleet.process(in: directory) else {
      throw FleetRefusal(
        words: "no fleet of 'halyard up' runs in \(directory)", next: "halyard up --detach \(there)")
    }
    _ = try RunDirectory(checking: directory)
    try RunningFleet.refuseStopped(process, in: directory)
    do {
      _ = try await asked()
    } catch is FleetSilent {
      let control = "\(directory)/\(Self.socket)"
      guard fileExists(control) else {
        throw FleetRefusal(
          words: "the socket \(control) of 'halyard up' is gone; only another start makes it again",
          next: "halyard down \(there)   (and 'halyard up' with the options that it had)")
      }
      throw FleetRefusal(
        words: "'halyard up', which runs in \(directory) as process \(process), does not answer",
        next: "halyard status --fleet \(ShellWord.quoted(directory))")
    }
    let roles = arguments.operands[0]
    return try arguments.show(
      json: JSONWriter.line { $0.member(roles, count) },
      text: "the fleet is to run \(count) \(count == 1 ? role.name : roles)\n")
  }

  private func asked() async throws -> UInt32 {
    let clock = SystemClock()
    var ports = RolePorts(try ZeroMQTransport(clock: clock), clock: clock)
    let place = FleetPlace(runDirectory: directory)
    ports.show(try RunKeyFile(of: place)?.read())
    let own = place.inbox("client", .random(in: .min ... .max)) ?? Self.address(in: directory)
    return try await ports.transport.withInbox(at: own) { [ports] inbox in
      try await FleetClient(
        inbox: inbox, aggregator: Self.address(in: directory), ports: ports,
        timeoutMilliseconds: arguments[FleetOption.wait]
      ).ask(ScaleOrder(role, to: count))
    }
  }
}
