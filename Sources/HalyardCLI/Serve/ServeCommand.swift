import Assembly
import DemoSite
import HTTPMessages
import HTTPServer
import HalyardConcurrency
import JSONQuery
import LinkPreviews
import Links
import Pipeline
import Posix
import Roles

/// The command `serve`: previews over HTTP.
struct ServeCommand: Sendable {
  private let arguments: ParsedArguments
  private let place: HTTPPlace
  private let access: PreviewAccess
  private let options: PipelineOptions
  private let fleets: (calls: FleetLinkPlan, readiness: FleetLinkPlan)?
  private let log: LogPlan
  private let times: PreviewTimes
  private let clock = SystemClock()

  /// Links that can be fetched at a time or wait for it.
  private static let mostCalls = 10_000
  private static let farewellMilliseconds: Int64 = 10_000

  init(_ arguments: ParsedArguments) throws {
    self.arguments = arguments
    place = arguments[ServeOption.http]
    access = try PreviewAccess(arguments, at: place)
    var options = try PipelineOptions(arguments)
    // Who asks waits, so what fails once has failed.
    options.roles.aggregator.retry = RetryRule(retries: 0)
    self.options = options
    // Each has an address of its own for the answers.
    fleets = try arguments.chosenFleet().map { (calls: $0, readiness: try arguments.fleet().inSilence) }
    log = LogPlan(arguments)
    times = PreviewTimes(answersMilliseconds: arguments[ServeOption.cache])
  }

  func run() async throws -> ExitCode {
    guard let path = arguments[ServeOption.answerFile] else { return try await serve(nil) }
    let file = try await AnswerFile(path)
    return try await withCleanup {
      try await serve(file)
    } cleanup: {
      await file.close()
    }
  }

  private func serve(_ file: AnswerFile?) async throws -> ExitCode {
    let site = arguments[ServeOption.demo] ? try DemoSite.start(port: 0) : nil
    defer { site?.stop() }
    var options = options
    if let site {
      options.allowed = Lock([try AllowedAddress(String(site.base.dropFirst("http://".count)))])
    }
    let record = try StandardErrorLog(log)
    let backend: any CallBackend =
      if let fleets { FleetCalls(plan: fleets.calls) } else { embedded(options, file, record) }
    let calls = CallCore(backend, maxCalls: Self.mostCalls, answersAtOnce: 1)
    let readiness = Readiness(needsFleet: fleets != nil)
    let accessLog = try arguments[ServeOption.accessLog].map { try AccessLog($0) }
    let (server, port) = try started(routes(calls, file, fleets == nil ? options : nil, readiness, accessLog))
    let manager = Systemd(arguments.environment, log: record)
    let end = TaskChannel<Void>(capacity: .conflating)
    let stop = WorkerStop(
      untilInputEnds: arguments[FleetOption.untilInputEnds], manager, hangUp: hangUp(manager, record),
      log: record)
    return try await stop.run(
      {
        tell(site, port)
        manager?.tell([.ready])
        try await withTaskScope { scope in
          defer { scope.cancel() }
          if let accessLog { try await scope.start { await accessLog.run() } }
          if let fleets { try await scope.start { try await readiness.watch(fleets.readiness, record) } }
          _ = try await end.receive()
        }
      },
      drain: {
        readiness.ends()
        await Self.finish(server, calls)
        end.close()
        return true
      })
  }

  private static func finish(_ server: HTTPServer, _ calls: CallCore) async {
    // Clients that still wait get an answer before their connections are cut, also on a machine that is busy.
    let last = Task {
      try await Task.sleep(for: .milliseconds(farewellMilliseconds * 3 / 4))
      calls.stop()
    }
    await server.finish(within: farewellMilliseconds)
    last.cancel()
    await calls.stop()?.ended()
  }

  private func routes(
    _ calls: CallCore, _ file: AnswerFile?, _ fetching: PipelineOptions?, _ readiness: Readiness,
    _ log: AccessLog?
  ) -> PreviewRoutes {
    let reading = LinkOption.reading(arguments)
    let desk = PreviewDesk(
      calls: calls, store: Lock(PreviewStore(times: times)), file: file, reading: reading, clock: clock,
      isHindered: { readiness.isHindered })
    let pages: [PreviewCard.Page] = fetching == nil ? [.json] : [.json, .explanation]
    return PreviewRoutes(
      access: access, answers: PreviewAnswers(desk: desk, access: access, pages: pages),
      explanations: LinkExplanations(settings: fetching, reading: reading, access: access),
      readiness: readiness, log: log,
      firstID: .random(at: clock.now))
  }

  /// Links are fetched by this process.
  private func embedded(
    _ options: PipelineOptions, _ file: AnswerFile?, _ record: any Log
  ) -> EmbeddedBackend {
    var backend = EmbeddedBackend(options, clock: clock, log: record)
    backend.wrapped = { [log, access] fetching in
      LoggedFetching.wanted(by: log, DenyingFetching.wanted(access.denied, fetching), record)
    }
    backend.caching = file.map {
      AnswerCaching(in: $0, for: times.rule, settings: FindingSettings.hash(arguments))
    }
    backend.shortage = DescriptorRoom.tell
    return backend
  }

  /// What can change meanwhile is read again, but at a terminal, a SIGHUP ends it as it ends other programs.
  private func hangUp(_ manager: Systemd?, _ log: StandardErrorLog) -> WorkerStop.HangUp {
    guard !isTerminal(2) else { return .kills }
    return .reloads { [access] in
      manager?.tell([.reloading(monotonicMicroseconds: SystemTime.monotonicMicroseconds)])
      access.rereadTokens(telling: log)
      manager?.tell([.ready])
    }
  }

  private func started(_ routes: PreviewRoutes) throws -> (HTTPServer, port: UInt16?) {
    var limits = ServerLimits()
    limits.isTrusted = { [access] in isLoopback($0) || access.isProxy($0) }
    let service = Service(refuse: { routes.refuse($0, $1) }, react: { routes.react($0, $1) })
    let socketUnit = "start it by halyard-serve.socket"
    do {
      let listeners = try listeners()
      guard !listeners.isEmpty else {
        throw CannotServe(place: "\(place)", cause: "it hands over no socket", remedy: socketUnit)
      }
      // A port of this machine alone looks as any other does.
      guard place != .systemd || access.hasTokens || listeners.allSatisfy({ $0.port == 0 }) else {
        throw UsageError(
          "systemd hands over a port, so it needs a --token-file; or let its socket be a path",
          command: CommandTable.serve)
      }
      return (try HTTPServer(listeners, limits: limits, service), listeners.first?.port)
    } catch let error as PosixError {
      let remedy = place == .systemd ? socketUnit : "choose another --http"
      throw CannotServe(place: "\(place)", cause: error.message, remedy: remedy)
    }
  }

  private func listeners() throws(PosixError) -> [Listener] {
    switch place {
    case .tcp(let host, let port): [try Listener(address: host, port: port, backlog: 511)]
    case .unix(let path): [try Listener(path: path, mode: 0o660)]
    case .systemd: try Listener.inherited(variables: arguments.environment)
    }
  }

  private func tell(_ site: DemoSite?, _ port: UInt16?) {
    guard place != .systemd else { return }
    var base = "\(place)"
    if case .tcp(let host, _) = place, let port { base = "http://\(HTTPPlace.tcp(host: host, port: port))/" }
    var text = "halyard: previews are served at \(base) until you interrupt it\n"
    if let site, base.hasPrefix("http:") {
      text += "halyard: try \(base)?links=\(percentEncoded("\(site.base)/pages/lighthouse"))\n"
    }
    Console.standardError.show(text, at: .info)
  }
}

/// Whether the service can do its work now: what stands before it sends requests elsewhere when it cannot.
final class Readiness: Sendable {
  private let isEnding = Lock(false)
  /// Why the fleet does no jobs; nil when it does, or is not needed.
  private let fleetsFault: Lock<String?>
  private static let unasked = "the fleet has not answered yet"
  /// Before a fleet is asked again that has answered, and one that has not.
  private static let (restMilliseconds, pauseMilliseconds) = (2_000, 500)

  /// - Parameter needsFleet: It is not ready before one has answered.
  init(needsFleet: Bool) {
    fleetsFault = Lock(needsFleet ? Self.unasked : nil)
  }

  /// Why it is not ready; nil when it is.
  var problem: Problem? {
    if isEnding.withLock({ $0 }) { return Problem(.shutDown) }
    return fleetsFault.withLock { $0 } == nil ? nil : .unavailable
  }

  /// Whether the fleet has said that it does no jobs, or has fallen silent.
  var isHindered: Bool { fleetsFault.withLock { $0 != nil && $0 != Self.unasked } }

  func ends() { isEnding.withLock { $0 = true } }

  /// - Parameter fault: Why the fleet does no jobs; nil when it does.
  func note(_ fault: String?, _ log: any Log) {
    let before = fleetsFault.withLock { exchange(&$0, with: fault) }
    guard before != fault else { return }
    if let fault {
      log.record(.warning, "the fleet does no jobs", [LogField("cause", fault)])
    } else if before != Self.unasked {
      log.record(.warning, "the fleet does jobs again", [])
    }
  }

  /// Asks the fleet again and again how it is.
  func watch(_ fleet: FleetLinkPlan, _ log: any Log) async throws {
    while true {
      do {
        try await fleet.withLink { link in
          while true {
            self.note(try StatusText(try await link.client.ask(StatusQuestion()).bytes).hindrance, log)
            try await Task.sleep(for: .milliseconds(Self.restMilliseconds))
          }
        }
      } catch {
        try Task.checkCancellation()
        note(Reload.words(error), log)
      }
      try await Task.sleep(for: .milliseconds(Self.pauseMilliseconds))
    }
  }
}
