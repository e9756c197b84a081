import Assembly
import ClockPosix
import FetchCurl
import Pipeline
import Posix
import Roles
import Scheduling

/// A fetcher as a process of its own. One that was given none of the options that change results takes the fleet's.
extension WorkerCommand {
  func runFetcher(
    _ ports: RolePorts, _ stop: WorkerStop, _ service: any ServiceManager
  ) async throws -> ExitCode {
    let life = FetcherLife()
    let end = try await stop.run({ try await live(life, ports, service) }, drain: { await life.drain() })
    return end == .ok ? await life.exitCode : end
  }

  /// `up` gives all workers the same options, so its fetchers have the fleet's already.
  private var takesFleetOptions: Bool {
    !arguments[FleetOption.untilInputEnds] && FindingSettings.wanted(arguments, isTold: false) == nil
  }

  private func live(_ life: FetcherLife, _ ports: RolePorts, _ service: any ServiceManager) async throws {
    guard takesFleetOptions else { return try await fetch(life, ports, service, options, taken: nil) }
    let handed = try await life.asks { try await askForOptions(ports, service) }
    let whole = try handed.map { try FleetFetchOptions.taken($0, by: arguments) } ?? arguments
    try await fetch(
      life, ports, service, try RunSettings(whole).pipeline, taken: TakenOptions(hash: handed?.hash),
      marks: handed?.marks)
  }

  /// nil when the fleet has none of its own.
  private func askForOptions(_ ports: RolePorts, _ service: any ServiceManager) async throws -> FetchOptions?
  {
    var contact = FleetContact(at: clock.now)
    func tell(_ news: FleetContact.News?, _ silence: FleetSilent? = nil) {
      news?.tell(ports.log, of: plan.place.address, refusal: silence?.refusal)
    }
    let handed = try await ports.transport.withInbox(at: plan.bind) { inbox in
      do {
        return try await options(from: inbox, ports, within: Self.firstAskingMilliseconds)
      } catch let silence as FleetSilent { tell(contact.passed(at: clock.now), silence) }
      // A service manager takes it for ready from here on, and would end it otherwise.
      let watch = try LoopWatchdog(ports.log, service, status: "waits for \(plan.place.address)")
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
      inbox: inbox, aggregator: plan.place.address, ports: ports, timeoutMilliseconds: milliseconds
    ).fetchOptions()
  }

  private static let firstAskingMilliseconds: Int64 = 3_000
  private static let askingMilliseconds: Int64 = 60_000

  /// - Parameter marks: What it reports of its options; nil to report its own.
  private func fetch(
    _ life: FetcherLife, _ ports: RolePorts, _ service: any ServiceManager, _ options: PipelineOptions,
    taken: TakenOptions?, marks: [FindingOption]? = nil
  ) async throws {
    var identity = identity(ports)
    identity.program?.options = marks ?? FindingSettings.options(arguments)
    try await withFetching(options.network(clock), shortage: DescriptorRoom.tell) { fetching, transfers in
      var (options, ports) = (options, ports)
      options.concurrency = transfers
      ports.executor = fetching.executor
      try await ports.transport.withInbox(at: plan.bind) { [options, ports, identity] inbox in
        let watch = try LoopWatchdog(ports.log, service, status: "works for \(plan.place.address)")
        defer { watch.end() }
        var settings = options.roles.fetcher
        settings.taken = taken
        let fetcher = Fetcher(
          settings: settings, identity: identity, inbox: watch.watched(inbox), ports: ports,
          fetching: fetching)
        try await life.works(fetcher) {
          try await withTaskExecutorPreference(fetching.executor) { try await fetcher.run() }
        }
      }
    }
  }
}
