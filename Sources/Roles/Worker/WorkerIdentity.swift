package import Pipeline

/// Who a worker is and whom it works for.
package struct WorkerIdentity: Sendable {
  package var worker: WorkerID
  /// The host or pod it runs on.
  package var locality: String
  package var aggregator: Address
  /// What it is, which must be what the rest of its fleet is; nil in a process of its own.
  package var program: WorkerProgram?
  /// Of a decoder.
  package var sandbox: WorkerSandbox?

  package init(worker: WorkerID, locality: String, aggregator: Address, program: WorkerProgram? = nil) {
    self.worker = worker
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
