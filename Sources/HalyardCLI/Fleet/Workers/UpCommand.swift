import Assembly
import HTTPServer
import Pipeline
import Posix
import Roles
import TransportZeroMQ

/// The command `up`: a whole fleet on this machine, each worker a process of its own.
struct UpCommand {
  private let arguments: ParsedArguments
  private let directory: String
  private let place: FleetPlace
  private let plan: FleetPlan
  private let metrics: MetricsPlan?
  private let log: LogPlan
  /// The first that a fleet says.
  static let greeting = "the fleet is at"

  init(_ arguments: ParsedArguments) throws(UsageError) {
    self.arguments = arguments
    log = LogPlan(arguments)
    directory = arguments.runDirectory
    place = arguments[FleetOption.listen] ?? FleetPlace(runDirectory: directory)
    plan = try FleetPlan(arguments, directory: directory, place)
    metrics = arguments[FleetOption.metrics]
    for option in [FleetOption.fetchers, FleetOption.decoders] {
      if let problem = ScaleCommand.problem(of: arguments[option], processors: processors) {
        throw arguments.rejection(of: option, problem)
      }
    }
  }

  func run() async throws -> ExitCode {
    let lanes = try ZeroMQSettings(arguments)
    try lanes.checkSafety(of: place.address)
    let home = try RunDirectory(making: directory)
    if arguments[FleetOption.check] { return .ok }
    let claims = try RunningFleet.claimed(directory)
    FleetEnd.forget(in: home)
    RunDirectory.sweep(directory)
    if try !home.keep(place, of: directory) {
      say("the disk has no room to note its address: name it with --fleet \(place.address)")
    }
    defer {
      RunDirectory.sweep(directory)
      home.forgetPlace()
      withExtendedLifetime(claims) {}
    }
    try SignalWatch.holdHangUp()
    let clock = SystemClock()
    let restarts = RestartMeter(version: halyardVersion, clock: clock)
    let server = try metrics?.serve(restarts, clock: clock, log: try ownLog())
    defer { server?.stop() }
    let supervisor = Supervisor(
      plan.all, clock: clock, restarted: { restarts.restarted($0, after: $1) },
      // It ends all the same if there is no room for the note.
      failed: { try? FleetEnd.keep($0, in: home) }, report: { say($1, at: $0) })
    let transport = try ZeroMQTransport(lanes, clock: clock)
    let signals = try watchSignals(supervisor, transport)
    say("\(Self.greeting) \(place.address)")
    let ports = RolePorts(transport, clock: clock)
    for fleet in [FleetPlace(runDirectory: directory), place] {
      _ = try RunKeyFile(of: fleet)?.made(ports.random)
    }
    let talking = Task { await talk(of: supervisor, ports, keeping: claims) }
    let permanent = await supervisor.run()
    talking.cancel()
    await talking.value
    if permanent == ExitCode.permanent.rawValue { return .unreachable }
    if let permanent { return ExitCode(rawValue: permanent) ?? .ok }
    let caught = signals.withLock { $0 }
    return caught.count > 1 ? ExitCode(endedBy: caught[1]) : .ok
  }

  /// - Returns: Those that end the fleet, as they come.
  private func watchSignals(
    _ supervisor: Supervisor, _ transport: ZeroMQTransport
  ) throws -> Lock<[Int32]> {
    let signals = Lock<[Int32]>([])
    let files = WorkerCommand.logFiles
    let watched = [
      SignalWatch.interrupt, SignalWatch.terminate, SignalWatch.hangUp, SignalWatch.endInOrder,
    ]
    try SignalWatch.start(watched, always: [SignalWatch.hangUp]) { signal in
      guard signal != SignalWatch.hangUp else {
        reopen(files)
        Task { await hangUp(supervisor, transport) }
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

  /// A confined decoder starts anew to read its files. With files that it refuses it could not come back.
  private func hangUp(_ supervisor: Supervisor, _ transport: ZeroMQTransport) async {
    do {
      try checkDecoder()
      try tellOwnChange()
      if let curve = try ZeroMQSettings(arguments).curve { await transport.secure(with: curve) }
      await supervisor.send(SignalWatch.hangUp)
    } catch {
      say("configuration not read again, all decoders stay as they are: \(Reload.words(error))", at: .error)
      await supervisor.send(SignalWatch.hangUp) { $0.arguments.first == CommandTable.decoder.name }
    }
  }

  /// Its workers tell theirs.
  private func tellOwnChange() throws {
    guard let new = try arguments.reread() else { return }
    let names = ConfigurationChange(from: arguments, to: new).needsRestart.sorted()
    guard !names.isEmpty else { return }
    say(
      "configuration read again; 'halyard up' needs a restart for \(names.joined(separator: ", "))",
      at: .warning)
  }

  /// Reads all that a new decoder would read.
  private func checkDecoder() throws {
    let words = plan.worker(.decoder, 1).arguments
    guard let decoder = try Invocation.arguments(words, arguments.environment) else { return }
    _ = try WorkerCommand(CommandContext(arguments: decoder), role: .decoder)
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
  private static let tellingMilliseconds: Int64 = 3_000

  private func say(_ words: String, at level: LogLevel = .info) {
    Console.standardError.write(LogEvent(level, words, role: Self.role).line(as: log.format))
  }

  /// Makes the locks again that something has removed: without them the fleet would pass for one that was killed.
  private func keep(_ claims: [FileClaim], _ clock: any PipelineClock) async {
    while (try? await clock.sleep(until: clock.now.advanced(byMilliseconds: RunKeyWatch.lookMilliseconds)))
      != nil
    {
      guard let home = try? RunDirectory(making: directory) else { continue }
      // This machine's own first, or the fleet would pass for one of another machine.
      guard !claims.reversed().filter({ $0.makeAgain() }).isEmpty else { continue }
      _ = try? home.keep(place, of: directory)
      say("a lock of the fleet was removed from \(directory), and made again", at: .warning)
    }
  }

  /// Works until its task is cancelled. Without it the fleet works all the same.
  private func talk(of supervisor: Supervisor, _ ports: RolePorts, keeping claims: [FileClaim]) async {
    async let keeping: Void = keep(claims, ports.clock)
    async let scaling: Void = tellingFailure("the fleet cannot be scaled") {
      try await hearOfScaling(supervisor, ports)
    }
    await tellingFailure("the status does not tell missing workers") {
      var (ports, logged) = (ports, ports)
      logged.log = try ownLog()
      let home = FleetPlace(runDirectory: directory)
      while true {
        let key = try RunKeyFile(of: home)?.made(ports.random)
        ports.show(try RunKeyFile(of: place)?.read())
        // That of a fleet that is elsewhere has no aggregator to look after it here.
        let watch = RunKeyWatch(of: home, key, counts: place != home, logged)
        do {
          try await RunKeyWatch.around(watch) { [ports] in try await tellSize(of: supervisor, ports) }
        } catch is OtherRunKey {}
      }
    }
    await scaling
    await keeping
  }

  /// Serves `halyard scale`, which reaches the run directory as this user alone does.
  private func hearOfScaling(_ supervisor: Supervisor, _ ports: RolePorts) async throws {
    let keys = RunKeyFile(of: FleetPlace(runDirectory: directory))
    let desk = ScalingDesk(supervisor, ports, counts: ScaleCommand.counts, plan: plan.worker) { secret in
      ((try? keys?.read()) ?? nil)?.hasMade(secret) ?? false
    }
    try await ports.transport.withInbox(at: ScaleCommand.address(in: directory)) { try await desk.run($0) }
  }

  /// Tells the aggregator again and again how many workers there are to be: its status names those that are missing.
  private func tellSize(of supervisor: Supervisor, _ ports: RolePorts) async throws {
    let own = place.inbox("client", .random(in: .min ... .max)) ?? Address("tcp://127.0.0.1:0")
    try await ports.transport.withInbox(at: own) { inbox in
      let client = FleetClient(
        inbox: inbox, aggregator: place.address, ports: ports, timeoutMilliseconds: Self.tellingMilliseconds)
      while true {
        let fetchers = await supervisor.count(of: Role.fetcher.name)
        let decoders = await supervisor.count(of: Role.decoder.name)
        _ = try? await client.ask(
          StatusQuestion(
            of: FleetSize(fetchers: UInt32(clamping: fetchers), decoders: UInt32(clamping: decoders)),
            by: processID))
        let next = ports.clock.now.advanced(byMilliseconds: Self.tellingMilliseconds)
        try await ports.clock.sleep(until: next)
      }
    }
  }

  private func tellingFailure(_ failure: StaticString, of body: () async throws -> Void) async {
    do {
      try await body()
    } catch {
      guard !Task.isCancelled else { return }
      try? ownLog().record(.warning, failure, [LogField("cause", "\(error)")])
    }
  }

  private func ownLog() throws -> StandardErrorLog {
    var plan = log
    plan.level = .info
    return try StandardErrorLog(plan, role: Self.role)
  }
}
