internal import Assembly
internal import ClockPosix
internal import FetchCurl
internal import Pipeline
internal import Roles

/// All roles in this process.
struct EmbeddedBackend: CallBackend {
  private let options: PipelineOptions
  private let deadlineMilliseconds: Int64?
  private let fetching: (any Fetching)?
  /// Kept for the client's next session too.
  private let caching: AnswerCaching?
  private let log: any Log

  /// - Parameter fetching: Nil for the network.
  init(_ settings: ClientSettings, fetching: (any Fetching)? = nil, log: any Log) throws(HalyardError) {
    options = try settings.options()
    deadlineMilliseconds = settings.deadline?.wholeMilliseconds
    caching = try settings.caching()
    (self.fetching, self.log) = (fetching, log)
  }

  func run(_ session: CallSession) async throws {
    let clock = SystemClock()
    if let fetching { return try await run(session, options, over: [fetching], clock) }
    try await withFetching(options.network(clock), threads: options.threads) { fetching, transfers in
      var options = options
      options.concurrency = transfers
      try await run(session, options, over: fetching, clock)
    }
  }

  private func run(
    _ session: CallSession, _ options: PipelineOptions, over fetching: [any Fetching], _ clock: SystemClock
  ) async throws {
    let ports = RolePorts.inProcess(clock: clock, log: log)
    let producer = ProducerSettings(
      batch: ports.passingBatch(), start: options.concurrency,
      deadlineMilliseconds: deadlineMilliseconds)
    try await LocalPipeline(options.roles, ports, over: fetching, caching: caching).withProducer(producer) {
      try await session.run($0)
    }
  }
}
