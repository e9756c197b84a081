import Assembly
import ClockPosix
import DemoSite
import HTTPMessages
import HTTPServer
import HalyardConcurrency
import LinkPreviews
import Links
import Pipeline
import Posix
import Roles

/// The command `serve`: previews over HTTP.
struct ServeCommand: Sendable {
  private let place: HTTPPlace
  private let access: PreviewAccess
  private var options: PipelineOptions
  private let fleet: FleetLinkPlan?
  private let log: LogPlan
  private let logPath: String?
  private let hasDemo: Bool
  private let reading: Reading
  private let times: PreviewTimes
  private let answerFile: String?
  /// Stands for all settings that change answers.
  private let settings: UInt64
  private let environment: [String: String]
  private let untilInputEnds: Bool
  private let clock = SystemClock()

  /// Links that can be fetched at a time or wait for it.
  private static let mostCalls = 10_000
  private static let farewellMilliseconds: Int64 = 10_000

  init(_ context: CommandContext) throws {
    let arguments = context.arguments
    place = HTTPPlace(arguments[ServeOption.http]) ?? .loopback
    access = try PreviewAccess(arguments, at: place)
    options = try PipelineOptions(arguments)
    // Who asks waits, so what fails once has failed.
    options.retries = 0
    fleet = arguments[FleetOption.chosenFleet] == nil ? nil : try context.fleet()
    if fleet != nil { try arguments.refuseFleetsOwn() }
    log = LogPlan(arguments, environment: context.environment)
    logPath = arguments[ServeOption.accessLog]
    hasDemo = arguments[ServeOption.demo]
    reading = LinkOption.reading(arguments)
    var times = PreviewTimes()
    times.answersMilliseconds = arguments[ServeOption.cache]
    self.times = times
    answerFile = arguments[ServeOption.answerFile]
    settings = Self.settings(arguments, access.denied)
    environment = context.environment
    untilInputEnds = arguments[FleetOption.untilInputEnds]
  }

  /// Other commands with the same settings find the same, unless hosts are denied here.
  private static func settings(_ arguments: ParsedArguments, _ denied: DeniedHosts) -> UInt64 {
    let findings = FindingSettings.hash(arguments)
    guard !denied.names.isEmpty else { return findings }
    var hash = StableHash()
    hash.add(findings)
    hash.add(ServeOption.denied.name, denied.names.sorted())
    return hash.value
  }

  func run() async throws -> ExitCode {
    guard let answerFile else { return try await serve(nil) }
    let file = try await AnswerFile.open(answerFile)
    return try await withCleanup {
      try await serve(file)
    } cleanup: {
      await file.close()
    }
  }

  private func serve(_ file: AnswerFile?) async throws -> ExitCode {
    let signals = try watchedSignals()
    let site = hasDemo ? try DemoSite.start(port: 0) : nil
    defer { site?.stop() }
    var options = options
    if let site {
      options.allowed = AllowedAddresses([try AllowedAddress(String(site.base.dropFirst("http://".count)))])
    }
    let record = try StandardErrorLog(log)
    let backend: any CallBackend =
      if let fleet { FleetCalls(plan: fleet) } else { embedded(options, file, record) }
    let calls = CallCore(backend, maxCalls: Self.mostCalls)
    let desk = PreviewDesk(calls, PreviewStore(times: times), file, reading, clock: clock)
    let readiness = Readiness(needsFleet: fleet != nil)
    let accessLog = try logPath.map { try AccessLog($0) }
    let routes = PreviewRoutes(
      desk: desk, access: access, log: accessLog, probes: ServiceProbes(desk: desk, readiness: readiness),
      ids: RequestIDs(Randomness { UInt64.random(in: .min ... .max) }, at: clock.now))
    let (server, port) = try started(routes)
    tell(site, port)
    let manager = Systemd(environment, log: record) as (any ServiceManager)? ?? NoServiceManager()
    manager.tell([.ready])
    return try await withTaskScope { scope in
      defer { scope.cancel() }
      if let accessLog { try await scope.start { await accessLog.run() } }
      if let fleet { try await scope.start { try await readiness.watch(fleet.inSilence) } }
      let signal = try await ending(signals, service: manager, record)
      manager.tell([.stopping])
      readiness.ends()
      // A second one does not wait for what is under way.
      try await scope.start {
        _ = try await ending(signals, service: NoServiceManager(), record)
        await server.end()
      }
      await server.finish(within: Self.farewellMilliseconds)
      await calls.stop()?.ended()
      return signal == SignalWatch.terminate ? .ok : ExitCode(endedBy: signal)
    }
  }

  /// Links are fetched by this process.
  private func embedded(
    _ options: PipelineOptions, _ file: AnswerFile?, _ record: any Log
  ) -> EmbeddedBackend {
    var backend = EmbeddedBackend(options, clock: clock, log: record)
    backend.wrapped = { [log, access] fetching in
      LoggedFetching.wanted(by: log, DenyingFetching.wanted(access.denied, fetching), record)
    }
    let rule = CacheRule(
      answersMilliseconds: times.answersMilliseconds, failuresMilliseconds: times.failuresMilliseconds)
    backend.caching = file.map { AnswerCaching(in: $0, for: rule, settings: settings) }
    backend.shortage = DescriptorRoom.tell
    return backend
  }

  /// Waits for what ends the service, and reads again what can change meanwhile when a SIGHUP asks for it.
  private func ending(
    _ signals: TaskChannel<Int32>, service: any ServiceManager, _ log: StandardErrorLog
  ) async throws -> Int32 {
    while let signal = try await signals.receive() {
      guard signal == SignalWatch.hangUp else { return signal }
      service.tell([.reloading(monotonicMicroseconds: SystemTime.monotonicMicroseconds)])
      access.rereadTokens(telling: log)
      service.tell([.ready])
    }
    return SignalWatch.terminate
  }

  /// What ends the service or changes it, each time that it comes. At a terminal, a SIGHUP ends it as it ends other programs.
  private func watchedSignals() throws -> TaskChannel<Int32> {
    let signals = TaskChannel<Int32>(capacity: .unbounded)
    let ends = [SignalWatch.interrupt, SignalWatch.terminate]
    try SignalWatch.start(isTerminal(2) ? ends : ends + [SignalWatch.hangUp], always: [SignalWatch.hangUp]) {
      _ = try? signals.offer($0)
    }
    if untilInputEnds {
      _ = try Thread.start(name: "input") {
        while let chunk = try? readChunk(0), !chunk.isEmpty {}
        _ = try? signals.offer(SignalWatch.terminate)
      }
    }
    return signals
  }

  private func started(_ routes: PreviewRoutes) throws -> (HTTPServer, port: UInt16?) {
    var limits = ServerLimits()
    limits.isTrusted = { [access] in isLoopback($0) || access.isProxy($0) }
    let service = Service(refuse: { routes.refuse($0, $1) }, react: { routes.react($0, $1) })
    do {
      let listeners = try listeners()
      // A port of this machine alone looks as any other does.
      guard place != .systemd || access.hasTokens || listeners.allSatisfy({ $0.port == 0 }) else {
        throw UsageError(
          "systemd hands over a port, so it needs a --token-file; or let its socket be a path",
          command: CommandTable.serve)
      }
      return (try HTTPServer(listeners, limits: limits, service), listeners.first?.port)
    } catch let error as PosixError {
      throw ServiceUnavailable(place: place, cause: error)
    }
  }

  private func listeners() throws(PosixError) -> [Listener] {
    switch place {
    case .tcp(let host, let port): [try Listener(address: host, port: port, backlog: 511)]
    case .unix(let path): [try Listener(path: path, mode: 0o660)]
    case .systemd: try Listener.inherited(variables: environment)
    }
  }

  private func tell(_ site: DemoSite?, _ port: UInt16?) {
    guard case .tcp(let host, _) = place, let port else { return }
    let shown = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    var text = "halyard: previews are served at http://\(shown)/ until you interrupt it\n"
    if let site {
      text += "halyard: try http://\(shown)/?links=\(Markup.queryEncoded("\(site.base)/pages/lighthouse"))\n"
    }
    Message.show(text)
  }
}

/// The service cannot listen.
struct ServiceUnavailable: ReportedError {
  var place: HTTPPlace
  var cause: PosixError

  var rendered: String {
    switch place {
    case .tcp(let host, let port):
      "halyard: cannot serve at \(host):\(port): \(cause.message); choose another --http\n"
    case .unix(let path):
      "halyard: cannot serve at \(Printable.text(path)): \(cause.message); choose another --http\n"
    case .systemd:
      "halyard: systemd hands over no socket (\(cause.message)); start it by halyard-serve.socket\n"
    }
  }
}
