import Assembly
import FetchCurl
import Pipeline
import Posix
import Roles
import Scheduling

/// A fetcher as a process of its own. It asks the fleet for the options that change results, and then works with them.
extension WorkerCommand {
  func runFetcher(
    _ ports: RolePorts, _ stop: WorkerStop, _ service: any ServiceManager
  ) async throws -> ExitCode {
    let working = Lock<Fetcher?>(nil)
    let end = try await stop.run(
      { try await live(working, ports, service) },
      drain: {
        guard let fetcher = working.withLock({ $0 }) else { return false }
        await fetcher.drain()
        return true
      })
    guard end == .ok, let fetcher = working.withLock({ $0 }) else { return end }
    if await fetcher.needsOtherOptions { return .startAgain }
    return await fetcher.wasToldToEnd ? .drained : .ok
  }

  private func live(
    _ working: Lock<Fetcher?>, _ ports: RolePorts, _ service: any ServiceManager
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
    ).ask(FetchOptionsQuestion())
  }

  private static let firstAskingMilliseconds: Int64 = 3_000
  private static let askingMilliseconds: Int64 = 60_000

  private func fetch(
    _ working: Lock<Fetcher?>, _ ports: RolePorts, _ service: any ServiceManager, _ options: PipelineOptions,
    taken: TakenOptions?
  ) async throws {
    let identity = identity(ports)
    try await withFetching(options.network(clock), shortage: DescriptorRoom.tell) { fetching, transfers in
      var ports = ports
      ports.executor = fetching.executor
      try await ports.transport.withInbox(at: plan.bind) { [ports, identity] inbox in
        let watch = try LoopWatchdog(ports.log, service, status: "works for \(plan.place.address)")
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
