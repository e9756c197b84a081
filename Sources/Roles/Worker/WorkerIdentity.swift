package import Pipeline

/// Who a worker is and whom it works for.
package struct WorkerIdentity: Sendable {
  package let worker: WorkerID
  /// What its id is derived from; only the aggregator is told it.
  package let secret: LaneSecret
  /// The host or pod it runs on.
  package var locality: String
  package var aggregator: Address
  /// What it is, which must be what the rest of its fleet is; nil in a process of its own.
  package var program: WorkerProgram?
  /// Of a decoder.
  package var sandbox: WorkerSandbox?

  /// - Parameter moment: When the process started.
  package init(
    at moment: Moment, secret: LaneSecret, locality: String, aggregator: Address,
    program: WorkerProgram? = nil
  ) {
    worker = WorkerID(at: moment, provenBy: secret)
    self.secret = secret
    self.locality = locality
    self.aggregator = aggregator
    self.program = program
  }
}

/// The ports every role needs.
package struct RolePorts: Sendable {
  package var transport: any Transport
  package var clock: any PipelineClock
  package var random: Randomness
  /// What this process says as a client, so that only the aggregator can answer it.
  package var secret = LaneSecret.none
  package var log: any Log
  /// Where the roles' tasks run: on the thread that fetches, a message from one role to the next wakes no other thread.
  /// nil for the pool.
  package var executor: (any TaskExecutor)?
  /// Told what a worker does; nil when no one asks.
  package var meter: StageMeter?
  /// Where an aggregator shows what it measures; nil when no one asks.
  package var board: MetricsBoard?

  package init(
    transport: any Transport, clock: any PipelineClock, random: Randomness, log: any Log = NoLog(),
    executor: (any TaskExecutor)? = nil
  ) {
    self.transport = transport
    self.clock = clock
    self.random = random
    self.log = log
    self.executor = executor
  }
}
