import Assembly
import ClockPosix
import Pipeline
import Posix
import Roles
import TransportZeroMQ

/// The command `up`: a whole fleet on this machine, each worker a process of its own.
struct UpCommand {
  private let arguments: ParsedArguments
  private let directory: String
  private let place: FleetPlace
  private let plans: [ChildPlan]
  private let log: LogPlan

  init(_ arguments: ParsedArguments, environment: [String: String]) throws(UsageError) {
    self.arguments = arguments
    log = LogPlan(arguments, environment: environment)
    directory = FleetPlace.directory(of: arguments, environment)
    place = try arguments.place(FleetOption.listen) ?? FleetPlace(runDirectory: directory)
    plans = try Self.plans(arguments, directory: directory, place)
    try Self.checkSettings(of: plans, environment, .defaultFiles(environment))
  }

  /// Fetchers with other settings than the aggregator's would get no jobs; a table of a settings file can make them so.
  static func checkSettings(
    of plans: [ChildPlan], _ environment: [String: String], _ settings: SettingsSource
  ) throws(UsageError) {
    func arguments(of command: CommandSpec) throws(UsageError) -> ParsedArguments? {
      guard let plan = plans.first(where: { $0.arguments.first == command.name }),
        case .run(let arguments) = try Invocation.parse(
          plan.arguments, environment: environment, settings: settings)
      else { return nil }
      return arguments
    }
    guard let fetcher = try arguments(of: CommandTable.fetcher),
      let aggregator = try arguments(of: CommandTable.aggregator),
      let (name, values) = FindingSettings.difference(of: fetcher, from: aggregator)
    else { return }
    let words =
      values.map { " is \($0) for the fetchers and \($1) for the aggregator" } ?? " differs between them"
    throw UsageError(
      rendered: """
        halyard: the fetchers would get no jobs from the aggregator: \(Printable.text(name + words))
        try:   set it above all tables of the settings file, or give the option after '--'

        """)
  }

  /// Fetchers end first, as long as there are decoders for their pages, and the aggregator last, which takes the last
  /// results.
  static func plans(
    _ arguments: ParsedArguments, directory: String, _ place: FleetPlace
  ) throws(UsageError) -> [ChildPlan] {
    let more = try WorkerOptions.split(arguments.operands, of: arguments.command)
    let program = programPath() ?? "halyard"
    let shared =
      [FleetOption.runDirectory.spec.flag, directory, FleetOption.untilInputEnds.spec.flag]
      + file(ConfigOption.config, of: arguments) + security(arguments) + logging(arguments)
    func plan(_ role: String, _ name: String, _ own: [String], stage: Int) -> ChildPlan {
      ChildPlan(
        name: name, program: program, arguments: [role] + shared + own + (more[role] ?? []), stage: stage)
    }
    let listen = [FleetOption.listen.spec.flag, place.address.text] + file(FleetOption.ledger, of: arguments)
    var plans = [plan("aggregator", "aggregator", listen, stage: 2)]
    let bind = place.directory == nil ? [FleetOption.bind.spec.flag, "tcp://127.0.0.1:0"] : []
    let reach = [FleetOption.fleet.spec.flag, place.address.text] + bind
    for number in 1...arguments[FleetOption.decoders] {
      plans.append(plan("decoder", "decoder \(number)", reach, stage: 1))
    }
    for number in 1...arguments[FleetOption.fetchers] {
      plans.append(plan("fetcher", "fetcher \(number)", reach, stage: 0))
    }
    return plans
  }

  private static func logging(_ arguments: ParsedArguments) -> [String] {
    arguments[LinkOption.logFormat].map { [LinkOption.logFormat.spec.flag, $0.rawValue] } ?? []
  }

  static func security(_ arguments: ParsedArguments) -> [String] {
    file(FleetOption.key, of: arguments) + file(FleetOption.allowKeys, of: arguments)
      + (arguments[FleetOption.insecure] ? [FleetOption.insecure.spec.flag] : [])
  }

  /// The option as its worker is given it, which may run in another directory.
  private static func file(_ option: TypedOption<String?>, of arguments: ParsedArguments) -> [String] {
    arguments[option].map { [option.spec.flag, absolutePath($0)] } ?? []
  }

  func run() async throws -> ExitCode {
    do {
      return try await work()
    } catch {
      return await log.format.framing(.error, role: Self.role) { Program.report(error) }
    }
  }

  private func work() async throws -> ExitCode {
    let keys = try TransportPlan(arguments)
    try keys.settings.checkSafety(of: place.address)
    let home = try RunDirectory(making: directory)
    if arguments[FleetOption.check] { return .ok }
    let claims = try RunningFleet.claimed(directory)
    FleetStart.forget(in: home)
    RunDirectory.sweep(directory)
    try home.keep(place, of: directory)
    defer {
      RunDirectory.sweep(directory)
      home.forgetPlace()
      withExtendedLifetime(claims) {}
    }
    try SignalWatch.holdHangUp()
    let clock = SystemClock()
    let supervisor = Supervisor(plans, clock: clock) { say($0) }
    let signals = try watchSignals(supervisor, keys)
    say("the fleet is at \(place.address)")
    let watching = Task { try await watch(supervisor, clock) }
    let permanent = await supervisor.run()
    watching.cancel()
    _ = await watching.result
    if permanent == ExitCode.permanent.rawValue { return .unreachable }
    if let permanent { return ExitCode(rawValue: permanent) ?? .ok }
    let caught = signals.withLock { $0 }
    return caught.count > 1 ? ExitCode(endedBy: caught[1]) : .ok
  }

  /// - Returns: Those that end the fleet, as they come.
  private func watchSignals(_ supervisor: Supervisor, _ keys: TransportPlan) throws -> Lock<[Int32]> {
    let signals = Lock<[Int32]>([])
    let files = WorkerCommand.logFiles
    let watched = [
      SignalWatch.interrupt, SignalWatch.terminate, SignalWatch.hangUp, SignalWatch.endInOrder,
    ]
    try SignalWatch.start(watched, always: [SignalWatch.hangUp]) { signal in
      guard signal != SignalWatch.hangUp else {
        reopen(files)
        Task { await hangUp(supervisor, keys) }
        return
      }
      guard signal != SignalWatch.endInOrder else {
        Task { await supervisor.stop() }
        return
      }
      let count = signals.withLock { caught in
        caught.append(signal)
        return caught.count
      }
      Task {
        if count == 1 {
          say("finishing what is under way; once more to stop at once")
          await supervisor.stop()
        } else {
          await supervisor.kill()
        }
      }
    }
    return signals
  }

  /// A confined decoder starts anew to read its files. With other keys than the fleet's it could not come back.
  private func hangUp(_ supervisor: Supervisor, _ keys: TransportPlan) async {
    let hasSameKeys = (try? TransportPlan(arguments).hasKeys(of: keys)) == true
    await supervisor.send(SignalWatch.hangUp) { plan in
      !hasSameKeys && plan.arguments.first == CommandTable.decoder.name
    }
  }

  /// The workers, which share these files, do the same.
  private func reopen(_ files: [StreamFile]) {
    for file in files {
      do {
        if try file.reopen() { say("log opened anew: \(file.path)") }
      } catch {
        say("log not opened anew: \(file.path): \(error.message)")
      }
    }
  }

  private static let role = "up"

  private func say(_ words: String) {
    Message.show(LogEvent(.info, words, role: Self.role).line(as: log.format))
  }

  /// Watches for an aggregator that lives but does not answer. If it cannot be asked at all, nothing is watched.
  private func watch(_ supervisor: Supervisor, _ clock: SystemClock) async throws {
    var plan = log
    plan.level = .info
    let log = try StandardErrorLog(plan, role: Self.role)
    do {
      let ports = RolePorts(try TransportPlan(arguments).make(clock: clock, log: NoLog()), clock: clock)
      let own = place.inbox("client", .random(in: .min ... .max)) ?? Address("tcp://127.0.0.1:0")
      try await ports.transport.withInbox(at: own) { inbox in
        try await AggregatorWatch(supervisor: supervisor, clock: clock, log: log).run(inbox, place, ports)
      }
    } catch {
      guard !Task.isCancelled else { return }
      log.record(.warning, "the aggregator is not watched", [LogField("cause", "\(error)")])
    }
  }
}
