import Assembly
import FetchCurl
import HTTPServer
import LedgerSQLite
import Pipeline
import Posix
import Roles
import Sandbox
import TransportZeroMQ

/// The commands `aggregator`, `fetcher` and `decoder`: one role as a process of its own.
struct WorkerCommand {
  let arguments: ParsedArguments
  private let role: Role
  /// Whom it works for.
  private let place: FleetPlace
  /// Where it is reached.
  private let bind: Address
  private let locality: String
  /// The directory of its sockets, which is created if it is missing.
  private let directory: String
  private let start = Moment(unixMilliseconds: SystemTime.unixMilliseconds)
  let options: PipelineOptions
  private let lanes: ZeroMQSettings
  private let cache: CacheRule?
  private let metrics: MetricsPlan?
  let fittings: WorkerFittings
  private let logPlan: LogPlan
  let clock = SystemClock()

  init(_ context: CommandContext, role: Role) throws {
    (arguments, fittings) = (context.arguments, context.fittings)
    logPlan = LogPlan(arguments, LinkOption.workerLogLevel)
    self.role = role
    directory = arguments.runDirectory
    place =
      arguments[role == .aggregator ? FleetOption.listen : FleetOption.fleet]
      ?? FleetPlace(runDirectory: directory)
    locality = arguments[FleetOption.locality] ?? hostName
    bind = try Self.address(of: role, in: place, arguments)
    lanes = try ZeroMQSettings(arguments)
    options = try PipelineOptions(arguments)
    metrics = arguments[FleetOption.metrics]
    cache = role == .aggregator ? try CacheRule(arguments) : nil
  }

  private static func address(
    of role: Role, in place: FleetPlace, _ arguments: ParsedArguments
  ) throws(UsageError) -> Address {
    if role == .aggregator { return place.address }
    if let address = arguments[FleetOption.bind] { return Address(address) }
    if let inbox = place.inbox(role.name, .random(in: .min ... .max)) { return inbox }
    throw UsageError(
      "a worker of the fleet at \(place.address) needs an address of its own: --bind tcp://OWN-ADDRESS:0",
      command: arguments.command)
  }

  func run() async throws -> ExitCode {
    Console.standardError.speak(as: logPlan.format, role: role.name)
    do {
      return try await work()
    } catch {
      let code = Program.report(error)
      // What started this process starts it again when it ends.
      let isSupervised =
        arguments[FleetOption.untilInputEnds] || arguments.environment["NOTIFY_SOCKET"]?.isEmpty == false
      return isSupervised && Self.isPermanent(error) ? .permanent : code
    }
  }

  /// `up` looks after its workers itself.
  private func service(_ log: any Log) -> Systemd? {
    arguments[FleetOption.untilInputEnds] ? nil : Systemd(arguments.environment, log: log)
  }

  /// To start again would only end the same way.
  static func isPermanent(_ error: any Error) -> Bool {
    if error is DistrustedPath { return true }
    if let error = error as? LedgerError { return ![.locked, .full, .unreachable].contains(error.kind) }
    switch error as? TransportError {
    case .malformed, .unusable: return true
    default: break
    }
    if let error = error as? SandboxError { return error.isPermanent }
    return false
  }

  private func work() async throws -> ExitCode {
    try SignalWatch.holdHangUp()
    let log = try StandardErrorLog(logPlan, role: role.name)
    _ = try RunDirectory(making: directory)
    RunDirectory.sweep(directory)
    let claim = try claimed()
    defer { withExtendedLifetime(claim) {} }
    var lanes = lanes
    lanes.frames = fittings.frames
    let addresses = [bind, place.address]
    let chosen = try ZeroMQTransport(
      lanes, clock: clock, log: log,
      startThreads: isConfined ? { try DecoderSandbox.startThreads(of: $0, for: addresses) } : nil)
    var ports = RolePorts(fittings.transport(chosen), clock: clock, log: log)
    let runKey = try runKey(ports.random)
    ports.show(runKey)
    if role != .aggregator { log.record(.info, "starts", startFields(ports)) }
    let server = try serveMetrics(&ports)
    defer { server?.stop() }
    let service = service(log)
    let handed = try handedOptions()
    let reload = Reload(
      arguments, lanes.curve,
      Reload.Parts(
        log: log, service: service, allowed: options.allowed, handed: handed, transport: chosen))
    let stop = WorkerStop(
      untilInputEnds: arguments[FleetOption.untilInputEnds], service,
      hangUp: isConfined ? confinedHangUp(log) : .reloads { await reload.run() }, log: log)
    switch role {
    case .aggregator:
      return try await runAggregator(ports, stop, service, handed, runKey) { await chosen.refusals }
    case .fetcher: return try await runFetcher(ports, stop, service, runKey)
    case .decoder: return try await runDecoder(ports, stop, service)
    case .producer: return .bug
    }
  }

  /// A decoder does without: it is the one that must not have it.
  private func runKey(_ random: Randomness) throws -> RunKey? {
    do {
      return role == .decoder ? nil : try RunKeyFile(of: place)?.made(random)
    } catch let error as PosixError {
      let directory = place.directory ?? directory
      throw FleetRefusal(
        words: "no fleet in \(directory): \(error.message)",
        next: "halyard up --run-dir \(ShellWord.quoted(directory))")
    }
  }

  /// Before the sandbox, in which no socket can be opened.
  private func serveMetrics(_ ports: inout RolePorts) throws -> HTTPServer? {
    guard let metrics else { return nil }
    let source: any MetricsSource
    switch role {
    case .aggregator, .producer:
      let board = MetricsBoard()
      (ports.board, source) = (board, board)
    case .fetcher, .decoder:
      let meter = StageMeter(role, version: halyardVersion)
      (ports.meter, source) = (meter, meter)
    }
    return try metrics.serve(source, clock: clock, log: ports.log, isConfined: isConfined)
  }

  /// Tells 'down' that a worker of `up` lives, even when `up` was killed.
  private func claimed() throws -> FileClaim? {
    guard arguments[FleetOption.untilInputEnds] else { return nil }
    do throws(FileClaim.Refusal) {
      return try FileClaim(path: "\(directory)/\(RunDirectory.workerLock(of: processID))")
    } catch {
      throw RunningFleet.refusal(error, directory)
    }
  }

  private var isConfined: Bool { role == .decoder && !arguments[FleetOption.noSandbox] }

  /// A process that opens no files cannot read its configuration again, nor open its log anew.
  private func confinedHangUp(_ log: StandardErrorLog) -> WorkerStop.HangUp {
    guard arguments[FleetOption.untilInputEnds] else {
      return .reloads {
        log.announce(
          .warning, "configuration not read again: a decoder in its sandbox opens no files; restart it", [])
      }
    }
    return .ends {
      log.announce(.info, "a decoder in its sandbox opens no files: it ends, and another reads them", [])
    }
  }

  /// Standard output often leads to the same file.
  static var logFiles: [StreamFile] { [1, 2].compactMap { StreamFile(of: $0) } }

  private func runAggregator(
    _ ports: RolePorts, _ stop: WorkerStop, _ service: Systemd?, _ handed: HandedOptions,
    _ runKey: RunKey?, refusals: @escaping @Sendable () async -> RefusalReport
  ) async throws -> ExitCode {
    try await ports.transport.withInbox(at: bind) { inbox in
      let path = arguments[FleetOption.ledger] ?? "\(directory)/ledger.db"
      ports.log.record(
        .info, "starts",
        [
          LogField("version", fittings.program.version), LogField("at", inbox.address),
          LogField("ledger", path),
        ])
      let mark = LedgerMark(home: try RunDirectory(checking: directory), path: path)
      var settings = aggregatorSettings(handed, runKey)
      settings.lostLedger = mark.check(ports.log)
      return try await withLedger(at: path) { ledger in
        mark.keep(place.address)
        // The process does not end itself while its disk is slow. A service manager may, after its own time limit.
        let watch = try LoopWatchdog(
          ports.log, service, status: "listens at \(inbox.address)", endsProcess: false)
        defer { watch.end() }
        let aggregator = Aggregator(
          settings: settings, inbox: TappedInbox.waking(inbox, clock: clock),
          ledger: fittings.ledger(ledger), ports: ports,
          caching: cache.map { AnswerCaching(in: ledger, for: $0) },
          refusals: refusals, turning: { watch.turned() })
        let keyWatch = RunKeyWatch(of: place, runKey, counts: true, ports)
        return try await stop.run(
          { try await RunKeyWatch.around(keyWatch) { try await aggregator.run() } }, drain: nil)
      }
    }
  }

  private func aggregatorSettings(_ handed: HandedOptions, _ runKey: RunKey?) -> AggregatorSettings {
    var settings = options.roles.aggregator
    settings.runKey = runKey
    settings.handed = handed
    settings.workersMayLive = true
    settings.mostInMemory = Self.jobsInMemory
    settings.mostOpenJobs = arguments[FleetOption.maxOpen]
    settings.keepsBatchesMilliseconds = arguments[FleetOption.keepBatches]
    settings.abandonsBatchesMilliseconds = arguments[FleetOption.abandonAfter]
    settings.program = program
    return settings
  }

  private func handedOptions() throws(UsageError) -> HandedOptions {
    guard role == .aggregator else { return HandedOptions() }
    let isEncrypted = lanes.curve != nil
    return HandedOptions(
      try FleetFetchOptions.handed(arguments), secrets: FleetFetchOptions.secrets,
      isPrivate: { isEncrypted || $0.text.hasPrefix("ipc://") })
  }

  /// Who this worker is, in the words of `halyard status`.
  private func startFields(_ ports: RolePorts) -> [LogField] {
    [
      .worker(identity(ports).worker), LogField("version", fittings.program.version),
      LogField("locality", locality), LogField("at", bind), LogField("fleet", place.address),
    ]
  }

  func identity(_ ports: RolePorts) -> WorkerIdentity {
    var identity = WorkerIdentity(
      at: start, secret: ports.secret, locality: locality, aggregator: place.address)
    identity.program = program
    return identity
  }

  private var program: WorkerProgram {
    var program = fittings.program
    program.process = UInt32(clamping: processID)
    return program
  }

  /// Ready jobs beyond these wait in the ledger.
  private static let jobsInMemory = 10_000

  private func runDecoder(
    _ ports: RolePorts, _ stop: WorkerStop, _ service: Systemd?
  ) async throws -> ExitCode {
    Decoder.loadTables()
    return try await ports.transport.withInbox(at: bind) { inbox in
      let watch = try LoopWatchdog(ports.log, service, status: "works for \(place.address)")
      defer { watch.end() }
      var identity = identity(ports)
      identity.sandbox = isConfined ? try DecoderSandbox.enter() : WorkerSandbox.none
      let decoder = Decoder(
        identity: identity, inbox: watch.watched(inbox), ports: ports, reading: fittings.reading)
      let end = try await stop.run(
        { try await decoder.run() },
        drain: {
          await decoder.drain()
          return true
        })
      guard end == .ok, await decoder.wasToldToEnd else { return end }
      return .drained
    }
  }
}

/// A fetcher as a process of its own. It asks the fleet for the options that change results, and then works with them.
extension WorkerCommand {
  func runFetcher(
    _ ports: RolePorts, _ stop: WorkerStop, _ service: Systemd?, _ runKey: RunKey?
  ) async throws -> ExitCode {
    let working = Lock<Fetcher?>(nil)
    let keyWatch = RunKeyWatch(of: place, runKey, ports)
    let end: ExitCode
    do {
      end = try await stop.run(
        { try await RunKeyWatch.around(keyWatch) { try await live(working, ports, service) } },
        drain: {
          guard let fetcher = working.withLock({ $0 }) else { return false }
          await fetcher.drain()
          return true
        })
    } catch let other as OtherRunKey {
      ports.log.record(
        .warning, "the fleet has another key: this fetcher ends, and another reads it",
        [LogField("path", other.path)])
      return .startAgain
    }
    guard end == .ok, let fetcher = working.withLock({ $0 }) else { return end }
    if await fetcher.needsOtherOptions { return .startAgain }
    return await fetcher.wasToldToEnd ? .drained : .ok
  }

  private func live(
    _ working: Lock<Fetcher?>, _ ports: RolePorts, _ service: Systemd?
  ) async throws {
    let handed = try await askForOptions(ports, service)
    let whole = try handed.map { try FleetFetchOptions.taken($0, by: arguments) } ?? arguments
    let hasOwnAddresses = arguments.isSet(LinkOption.allowAddress)
    var pipeline = try PipelineOptions(whole)
    // Those that change when the configuration is read again.
    if hasOwnAddresses { pipeline.allowed = options.allowed }
    try await fetch(
      working, ports, service, pipeline,
      taken: handed.map { TakenOptions(hash: $0.hash, hasOwnAddresses: hasOwnAddresses) })
  }

  /// nil of a fleet too old to say.
  private func askForOptions(_ ports: RolePorts, _ service: Systemd?) async throws -> FetchOptions? {
    var contact = FleetContact(at: clock.now)
    func tell(_ news: FleetContact.News?, _ silence: FleetSilent? = nil) {
      news?.tell(ports.log, of: place.address, refusal: silence?.refusal)
    }
    let handed = try await ports.transport.withInbox(at: bind) { inbox in
      do {
        return try await options(from: inbox, ports, within: Self.firstAskingMilliseconds)
      } catch let silence as FleetSilent { tell(contact.passed(at: clock.now), silence) }
      // A service manager takes it for ready from here on, and would end it otherwise.
      let watch = try LoopWatchdog(ports.log, service, status: "waits for \(place.address)")
      defer { watch.end() }
      while true {
        do {
          return try await options(from: watch.watched(inbox), ports, within: Self.askingMilliseconds)
        } catch let silence as FleetSilent { tell(contact.passed(at: clock.now), silence) }
      }
    }
    tell(contact.lane(isUp: true, at: clock.now))
    return handed
  }

  private func options(
    from inbox: any Inbox, _ ports: RolePorts, within milliseconds: Int64
  ) async throws -> FetchOptions? {
    try await FleetClient(
      inbox: inbox, aggregator: place.address, ports: ports, timeoutMilliseconds: milliseconds
    ).ask(FetchOptionsQuestion())
  }

  private static let firstAskingMilliseconds: Int64 = 3_000
  private static let askingMilliseconds: Int64 = 60_000

  private func fetch(
    _ working: Lock<Fetcher?>, _ ports: RolePorts, _ service: Systemd?, _ options: PipelineOptions,
    taken: TakenOptions?
  ) async throws {
    let identity = identity(ports)
    try await withFetching(options.network(clock), shortage: DescriptorRoom.tell) { fetching, transfers in
      let fetching = fetching[0]
      var ports = ports
      ports.executor = fetching.executor
      try await ports.transport.withInbox(at: bind) { [ports, identity] inbox in
        let watch = try LoopWatchdog(ports.log, service, status: "works for \(place.address)")
        defer { watch.end() }
        var settings = options.roles.fetcher
        settings.concurrency = transfers
        settings.taken = taken
        let fetcher = Fetcher(
          settings: settings, identity: identity, inbox: watch.watched(inbox), ports: ports,
          fetching: fittings.fetching(fetching))
        working.withLock { $0 = fetcher }
        try await withTaskExecutorPreference(fetching.executor) { try await fetcher.run() }
      }
    }
  }
}
