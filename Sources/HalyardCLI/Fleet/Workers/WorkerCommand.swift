import ClockPosix
import FetchCurl
import LedgerSQLite
import Pipeline
import Posix
import Roles

/// The commands `aggregator`, `fetcher` and `decoder`: one role as a process of its own.
struct WorkerCommand {
  private let arguments: ParsedArguments
  private let plan: WorkerPlan
  private let transport: TransportPlan
  private let settings: RunSettings
  private let cache: CachePlan?
  private let fittings: WorkerFittings
  private let environment: [String: String]
  private let logPlan: LogPlan
  private let reread: @Sendable () throws -> ParsedArguments?
  private let clock = SystemClock()

  init(_ context: CommandContext, role: Role) throws {
    (arguments, environment) = (context.arguments, context.environment)
    (fittings, reread) = (context.fittings, context.reread)
    logPlan = LogPlan(arguments, environment: environment)
    plan = try WorkerPlan(arguments, role: role, environment: environment)
    transport = try TransportPlan(arguments)
    settings = try RunSettings(arguments, clock: clock)
    cache = role == .aggregator ? try CachePlan(arguments) : nil
  }

  func run() async throws -> ExitCode {
    do {
      return try await logPlan.format.framing(.warning, role: plan.role.name) { try await work() }
    } catch {
      let code = await logPlan.format.framing(.error, role: plan.role.name) { Program.report(error) }
      return isSupervised && Self.isHopeless(error) ? .hopeless : code
    }
  }

  /// What started this process starts it again when it ends.
  private var isSupervised: Bool {
    arguments[FleetOption.untilInputEnds] || environment["NOTIFY_SOCKET"]?.isEmpty == false
  }

  /// `up` looks after its workers itself.
  private func service(_ log: any Log) -> any ServiceManager {
    guard !arguments[FleetOption.untilInputEnds] else { return NoServiceManager() }
    return Systemd(environment, log: log) ?? NoServiceManager() as any ServiceManager
  }

  /// To start again would only end the same way.
  static func isHopeless(_ error: any Error) -> Bool {
    if error is DistrustedPath { return true }
    if let error = error as? LedgerError { return error.kind != .locked && error.kind != .full }
    if case .unusable? = error as? TransportError { return true }
    if let error = error as? DecoderSandboxError { return error.isHopeless }
    return false
  }

  private func work() async throws -> ExitCode {
    try SignalWatch.holdHangUp()
    let log = try StandardErrorLog(logPlan, role: plan.role.name)
    _ = try RunDirectory(making: plan.directory)
    RunDirectory.sweep(plan.directory)
    let lanes = [plan.bind, plan.place.address]
    let chosen = try transport.make(
      clock: clock, log: log,
      startThreads: isConfined ? { try DecoderSandbox.startThreads(of: $0, for: lanes) } : nil)
    let ports = RolePorts(
      transport: fittings.transport(chosen), clock: clock,
      random: Randomness { UInt64.random(in: .min ... .max) }, log: log)
    let service = service(log)
    let reload = Reload(
      arguments, transport,
      Reload.Parts(log: log, service: service, allowed: settings.allowed, transport: chosen),
      files: Self.logFiles, reread: reread)
    let stop = WorkerStop(
      untilInputEnds: arguments[FleetOption.untilInputEnds], service,
      hangUp: isConfined ? confinedHangUp(log) : .reloads { await reload.run() })
    switch plan.role {
    case .aggregator: return try await runAggregator(ports, stop, service)
    case .fetcher: return try await runFetcher(ports, stop, service)
    case .decoder: return try await runDecoder(ports, stop, service)
    case .producer: return .bug
    }
  }

  private var isConfined: Bool { plan.role == .decoder && !arguments[FleetOption.noSandbox] }

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
    _ ports: RolePorts, _ stop: WorkerStop, _ service: any ServiceManager
  ) async throws -> ExitCode {
    let inbox = try await ports.transport.bind(plan.bind)
    let ledger: SQLiteLedger
    do {
      ledger = try await SQLiteLedger.open(
        path: arguments[FleetOption.ledger] ?? "\(plan.directory)/ledger.db")
    } catch {
      await inbox.close()
      throw error
    }
    var settings = settings.pipeline.aggregator
    settings.workersMayLive = true
    settings.mostInMemory = Self.jobsInMemory
    settings.mostOpenJobs = arguments[FleetOption.maxOpen]
    settings.keepsBatchesMilliseconds = arguments[FleetOption.keepBatches]
    settings.abandonsBatchesMilliseconds = arguments[FleetOption.abandonAfter]
    settings.program = .init(
      version: halyardVersion, process: processID,
      options: FindingSettings.wanted(arguments, isTold: arguments[FleetOption.untilInputEnds]))
    // The process does not end itself while its disk is slow. A service manager may, after its own time limit.
    let watch = try LoopWatchdog(
      ports.log, service, status: "listens at \(inbox.address)", endsProcess: false)
    let aggregator = Aggregator(
      settings: settings, inbox: WakingInbox(base: inbox, clock: clock), ledger: fittings.ledger(ledger),
      ports: ports, caching: cache.map { AnswerCaching(in: ledger.resultCache, for: $0.rule) },
      turning: { watch.turned() })
    let code = try await stop.run({ try await aggregator.run() }, drain: nil)
    watch.end()
    await inbox.close()
    await ledger.close()
    return code
  }

  /// With what the aggregator compares: a fetcher with other options would find other things.
  private var identity: WorkerIdentity {
    var identity = plan.identity(plan.incarnation)
    identity.program = WorkerProgram(
      version: halyardVersion, options: plan.role == .fetcher ? FindingSettings.options(arguments) : nil)
    return identity
  }

  /// Ready jobs beyond these wait in the ledger.
  private static let jobsInMemory = 10_000

  private func runFetcher(
    _ ports: RolePorts, _ stop: WorkerStop, _ service: any ServiceManager
  ) async throws -> ExitCode {
    var (curl, settings, ports) = (settings.curl, settings.pipeline.fetcher, ports)
    DescriptorRoom.fit(&curl, &settings)
    let fetching = CurlFetching(settings: curl)
    ports.executor = fetching.executor
    let inbox = try await ports.transport.bind(plan.bind)
    let watch = try LoopWatchdog(ports.log, service, status: "works for \(plan.place.address)")
    let fetcher = Fetcher(
      settings: settings, identity: identity, inbox: watch.watched(inbox),
      ports: ports, fetching: fetching)
    let work: @Sendable () async throws -> Void = { [executor = ports.executor] in
      try await withTaskExecutorPreference(executor) { try await fetcher.run() }
    }
    let code = try await stop.run(work, drain: { await fetcher.drain() })
    watch.end()
    await inbox.close()
    await CurlEnd.wait(for: fetching)
    return code
  }

  private func runDecoder(
    _ ports: RolePorts, _ stop: WorkerStop, _ service: any ServiceManager
  ) async throws -> ExitCode {
    Decoder.loadTables()
    let inbox = try await ports.transport.bind(plan.bind)
    let watch = try LoopWatchdog(ports.log, service, status: "works for \(plan.place.address)")
    var identity = identity
    do {
      identity.sandbox = isConfined ? try DecoderSandbox.enter() : WorkerSandbox.none
    } catch {
      watch.end()
      await inbox.close()
      throw error
    }
    let decoder = Decoder(
      identity: identity, inbox: watch.watched(inbox), ports: ports,
      reading: fittings.reading)
    let code = try await stop.run({ try await decoder.run() }, drain: { await decoder.drain() })
    watch.end()
    await inbox.close()
    return code
  }
}
