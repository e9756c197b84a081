import Assembly
import FetchCurl
import HalyardConcurrency
import LedgerMemory
import Pipeline
import Posix
import Roles

/// Runs a feed through a pipeline of its own and writes its rows.
struct PipelineRun: Sendable {
  var options: PipelineOptions
  var isOrdered = false
  var deadlineMilliseconds: Int64?
  var log = LogPlan()
  /// Where jobs and rows are kept beyond this process; nil when nothing is.
  var durable: DurableRun?
  /// How long to wait for a ledger that fails; nil for ever.
  var ledgerTimeoutMilliseconds: Int64?
  /// Findings of earlier runs; nil when every link is fetched.
  var caching: AnswerCaching?

  private let clock = SystemClock()
  private static let tickMilliseconds = 200

  /// What shows a run's progress and rows.
  struct User: Sendable {
    var take: Producer.RowSink
    /// Called a few times a second.
    var tick: @Sendable () async throws -> Void = {}
    /// Whether the fleet or the ledger does not answer: no job can be finished then.
    var isStuck: @Sendable () -> Bool = { false }
    /// Whether the run has stopped waiting for the fleet or the ledger.
    var hasGivenUp: @Sendable () -> Bool = { false }
    var interruption = "finishing what is under way; once more to stop at once"
  }

  /// - Parameter watch: Called with every tick, to ask how things are.
  /// - Returns: The signal that ended the run early, if one did.
  func run(
    _ feed: any JobFeed, for user: User, watch: (@Sendable (FleetClient) async throws -> Void)? = nil
  ) async throws -> Int32? {
    let ledgerWatch = LedgerWatch(timeoutMilliseconds: ledgerTimeoutMilliseconds)
    var user = user
    if durable != nil {
      user.isStuck = { ledgerWatch.isStuck }
      user.hasGivenUp = { ledgerWatch.givenUp != nil }
    }
    let signal = try await withFetching(
      options.network(clock), threads: options.threads, shortage: DescriptorRoom.tell
    ) { [user] fetching, transfers in
      var roles = options.roles
      roles.fetcher.concurrency = transfers
      roles.aggregator.onlyBatch = durable?.batch
      let ports = RolePorts.inProcess(clock: clock, log: try StandardErrorLog(log))
      let producerSettings = ProducerSettings(
        batch: durable?.batch ?? ports.newBatch(), isOrdered: isOrdered, start: transfers,
        deadlineMilliseconds: deadlineMilliseconds, leavesJobsOpen: durable != nil)
      let pipeline = LocalPipeline(
        settings: roles, ports: ports,
        ledger: durable?.ledger ?? MemoryLedger(retellsCalls: false) as any Ledger,
        fetching: LoggedFetching.wanted(by: log, fetching, ports.log), caching: caching,
        ledgerFails: { ledgerWatch.fails($0) })
      return try await pipeline.withProducer(producerSettings) { producer, client in
        var user = user
        if let watch { user.tick = { try await watch(client) } }
        return try await Self.run(producer, feed, for: user)
      }
    }
    if signal == nil, let fault = ledgerWatch.givenUp { throw fault }
    return signal
  }

  /// Runs a producer, here or against a fleet, until it is through or interrupted.
  ///
  /// - Returns: The signal that ended the run early, if one did.
  static func run(_ producer: Producer, _ feed: any JobFeed, for user: User) async throws -> Int32? {
    let interruption = Interruption(producer, for: user)
    try interruption.watch()
    return try await withTaskScope { scope in
      defer { scope.cancel() }
      // A tick that fails is the last one, and no reason to end the run.
      try await scope.start {
        try? await keep { try await user.tick() }
      }
      // Whatever becomes of the ticks.
      try await scope.start {
        try? await keep { await interruption.look() }
      }
      try await producer.run(feed, into: user.take)
      // The run's own last words come after it.
      await Console.standardError.settle()
      return await interruption.signal
    }
  }

  private static func keep(_ tick: @Sendable () async throws -> Void) async throws {
    while true {
      try await Task.sleep(for: .milliseconds(tickMilliseconds))
      try await tick()
    }
  }
}
