public import Pipeline

/// Who a worker is and whom it works for.
public struct WorkerIdentity: Sendable {
  public var worker: WorkerID
  /// The host or pod it runs on.
  public var locality: String
  public var aggregator: Address
  /// What it is, which must be what the rest of its fleet is; nil in a process of its own.
  public var program: WorkerProgram?
  /// Of a decoder.
  public var sandbox: WorkerSandbox?

  public init(worker: WorkerID, locality: String, aggregator: Address, program: WorkerProgram? = nil) {
    self.worker = worker
    self.locality = locality
    self.aggregator = aggregator
    self.program = program
  }
}

/// The ports every role needs.
public struct RolePorts: Sendable {
  public var transport: any Transport
  public var clock: any PipelineClock
  public var random: Randomness
  public var log: any Log
  /// Where the roles' tasks run: on the thread that fetches, a message from one role to the next wakes no other thread.
  /// nil for the pool.
  public var executor: (any TaskExecutor)?

  public init(
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
