import Assembly
import JSONQuery
import Pipeline
import Posix
import Roles

/// Runs 'up' in the background, and returns when the fleet answers an echo, or says why no job runs yet.
struct BackgroundFleet {
  /// One that has a large ledger to read takes its time.
  private static let pings = 300
  private static let pingMilliseconds: Int64 = 1_000
  private static let pingsUntilTold = 10
  /// The longest time that a fleet takes to end in order.
  static let longestEndMilliseconds: Int64 = 70_000
  private static let linesTold = 12

  private let arguments: ParsedArguments
  private let directory: String
  private let clock = SystemClock()

  /// - Parameter arguments: Those of `up`.
  init(_ arguments: ParsedArguments) {
    self.arguments = arguments
    directory = arguments.runDirectory
  }

  func run() async throws -> ExitCode {
    let home = try RunDirectory(making: directory)
    if let process = try RunningFleet.process(in: directory) {
      throw FleetRefusal(
        words: "a fleet runs in \(directory) already, as process \(process)", next: "halyard down\(named)")
    }
    let (log, descriptor) = try FleetLog.opened(in: home)
    let warning = lostLedger(home)
    let up = try ChildProcess.start(
      path: programPath() ?? "halyard", arguments: ["halyard"] + upWords,
      environment: arguments.environment.map { "\($0.key)=\($0.value)" },
      streams: ChildProcess.Streams(
        input: try .reading(path: "/dev/null"), output: descriptor, messages: descriptor),
      inOwnSession: true)
    let ending = Lock<ChildEnding?>(nil)
    Task {
      let end = await up.end()
      ending.withLock { $0 = end }
    }
    var fault: any Error = FleetSilent(address: FleetPlace(runDirectory: directory).address, milliseconds: 0)
    for ping in 1...Self.pings where ending.withLock({ $0 }) == nil {
      let next = clock.now.advanced(byMilliseconds: Self.pingMilliseconds)
      let address: String
      do {
        address = try await pinged(up)
      } catch {
        fault = error
        if ping == Self.pingsUntilTold {
          Message.show("halyard: the fleet does not answer yet; waiting (its log is \(log.path))\n")
        }
        try await clock.sleep(until: next)
        continue
      }
      Message.show(
        warning
          + "halyard: the fleet runs as process \(up.id) at \(Printable.text(address)); its log is \(log.path)\n"
          + "try:   \(program) submit\(reached) https://example.org/\n       \(program) status\(reached)\n")
      return .ok
    }
    if let ending = ending.withLock({ $0 }) { return ended(ending, log) }
    return await stopped(up, fault, log)
  }

  /// A line about it, before it is begun anew; else empty.
  private func lostLedger(_ home: RunDirectory) -> String {
    let path = arguments[FleetOption.ledger] ?? "\(directory)/ledger.db"
    guard let lost = LedgerMark(home: home, path: path).lost else { return "" }
    let other = lost == path ? "" : "; before it was \(lost)"
    return Printable.lines("halyard: \(path) is not there: it begins an empty one\(other)\n")
  }

  /// Of the process itself, which stays in the foreground of its own session, in this run directory.
  private var upWords: [String] {
    let own = arguments.words.prefix { $0 != "--" }
    let detach = FleetOption.detach.spec
    return ["up"] + own.filter { $0 != detach.flag } + [
      detach.negation ?? "", FleetOption.runDirectory.flag, directory,
    ] + arguments.words.dropFirst(own.count)
  }

  /// Another fleet may have been quicker, and answer instead.
  ///
  /// - Returns: Where the fleet is.
  private func pinged(_ up: ChildProcess) async throws -> String {
    let plan = try FleetLinkPlan(
      askingIn: directory, wait: "1s", FleetPlan.security(arguments), environment: arguments.environment)
    let status = try await plan.withLink { link in
      let status = try StatusText(try await link.client.ask(StatusQuestion()).bytes)
      // An echo would wait as well.
      if status.obstacle.isEmpty { try await link.ping(link.ports.passingBatch(), count: 1) { _ in } }
      return status
    }
    guard try RunningFleet.process(in: directory) == up.id,
      status.process.flatMap({ parentProcess(of: $0) }) == up.id
    else { throw FleetSilent(address: plan.place.address, milliseconds: 0) }
    if !status.obstacle.isEmpty { Message.show("halyard\(status.obstacle)\n") }
    return plan.place.address.text
  }

  /// It ended by itself, so it said why.
  private func ended(_ ending: ChildEnding, _ log: FleetLog) -> ExitCode {
    let causes = FleetLog.errors(in: log.news())
    let told = causes.enumerated().filter { causes.firstIndex(of: $0.element) == $0.offset }.map(\.element)
    Message.show(
      "halyard: the fleet did not start; its log is \(log.path)\n" + told.map { "\($0)\n" }.joined())
    guard case .exited(let status) = ending, let code = ExitCode(rawValue: status), code != .ok else {
      return .unreachable
    }
    return code
  }

  /// It does not answer: it is stopped, with its workers.
  private func stopped(_ up: ChildProcess, _ fault: any Error, _ log: FleetLog) async -> ExitCode {
    up.send(SignalWatch.terminate)
    Message.show("halyard: the fleet does not answer and is stopped\n")
    let late = Task {
      try await clock.sleep(until: clock.now.advanced(byMilliseconds: Self.longestEndMilliseconds))
      up.send(SignalWatch.kill)
    }
    _ = await up.end()
    late.cancel()
    let code = Program.report(fault)
    let last = log.news().suffix(Self.linesTold).map { "  \($0)\n" }.joined()
    Message.show("halyard: what the fleet said last (\(log.path)):\n\(last)")
    return code
  }

  /// As the user called it.
  private var program: String { ShellWord.quoted(Printable.text(Program.commandLine.first ?? "halyard")) }

  private var isDefault: Bool { directory == FleetPlace.defaultDirectory(arguments.environment) }

  /// How commands name its run directory.
  private var named: String {
    isDefault ? "" : " \(FleetOption.runDirectory.flag) \(ShellWord.quoted(directory))"
  }

  private var reached: String {
    let fleet = isDefault ? [] : [FleetOption.fleet.flag, directory]
    return (fleet + FleetPlan.security(arguments)).map { " \(ShellWord.quoted($0))" }.joined()
  }
}
