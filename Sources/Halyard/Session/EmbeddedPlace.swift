internal import ClockPosix
internal import FetchCurl
internal import LedgerMemory
internal import Pipeline
internal import Posix
internal import Roles
internal import TransportInProcess

/// All roles in this process.
struct EmbeddedPlace: Workplace {
  private var settings: ClientSettings
  private let fetching: (any Fetching)?

  /// - Parameter fetching: Nil for the network.
  init(_ settings: ClientSettings, fetching: (any Fetching)? = nil) {
    self.settings = settings
    self.fetching = fetching
    self.settings.concurrency = max(1, settings.concurrency)
  }

  func run(_ session: Session) async throws {
    let clock = SystemClock()
    if let fetching { return try await run(session, over: fetching, executor: nil, clock: clock) }
    let (curl, concurrency) = try curlSettings(clock)
    var place = self
    place.settings.concurrency = concurrency
    let fetching = CurlFetching(settings: curl)
    let ending: Result<Void, any Error>
    do {
      try await place.run(session, over: fetching, executor: fetching.executor, clock: clock)
      ending = .success(())
    } catch {
      ending = .failure(error)
    }
    try? await BlockingWorker(name: "end of fetching").run { fetching.shutdown() }
    try ending.get()
  }

  private func run(
    _ session: Session, over fetching: any Fetching, executor: (any TaskExecutor)?, clock: SystemClock
  ) async throws {
    let random = Randomness { UInt64.random(in: .min ... .max) }
    let pipeline = LocalPipeline(
      settings: LocalPipeline.Settings(aggregator: settings.manners, fetcher: try settings.fetching()),
      ports: RolePorts(
        transport: InProcessTransport(clock: clock), clock: clock, random: random, executor: executor),
      ledger: MemoryLedger(retellsCalls: false), fetching: fetching)
    let producer = ProducerSettings(
      batch: .passing(random.uuid(at: clock.now)), start: settings.concurrency,
      deadlineMilliseconds: settings.deadline?.wholeMilliseconds)
    try await pipeline.withProducer(producer) { try await session.run($0) }
  }

  private func curlSettings(_ clock: SystemClock) throws(HalyardError) -> (CurlSettings, concurrency: Int) {
    var curl = try settings.network(clock)
    (curl.connections, curl.idleConnections) = (settings.concurrency, settings.concurrency)
    if let limit = raiseDescriptorLimit(to: curl.wantedDescriptors) { curl.fit(descriptors: limit) }
    return (curl, curl.connections)
  }
}
