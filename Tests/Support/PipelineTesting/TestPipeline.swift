import Assembly
import LedgerMemory
package import Pipeline
import Posix
package import Roles
import TransportFramed
import TransportInProcess
import TransportZeroMQ

/// The transports a scenario can run in.
package enum TransportUnderTest: String, CaseIterable, Sendable {
  /// Envelopes are handed over as they are.
  case inProcess
  /// So too, among several fetchers and decoders.
  case severalFetchers
  /// Envelopes travel as frames.
  case framed
  /// Envelopes travel through sockets.
  case zeroMQ
}

/// A whole pipeline for a test.
package struct TestPipeline: Sendable {
  package var transport = TransportUnderTest.inProcess
  package var settings = LocalPipeline.Settings()
  package var clock: any PipelineClock = SystemClock()
  package var ledger: any Ledger
  package var random = Randomness.seeded(1)
  /// Answers that are kept for later jobs.
  package var caching: AnswerCaching?
  /// A batch that the ledger holds already; nil for a new one.
  package var batch: BatchID?
  /// What an interruption leaves open.
  package var leavesJobsOpen = false
  package var ledgerFails: @Sendable (LedgerError?) -> Void = { _ in }

  package init(_ transport: TransportUnderTest = .inProcess, ledger: any Ledger = MemoryLedger()) {
    self.transport = transport
    self.ledger = ledger
  }

  /// Runs all drafts and returns the rows in the order they came.
  package func run(
    _ drafts: [JobDraft], over fetching: any Fetching, ordered: Bool = false, window: Int? = nil,
    deadlineMilliseconds: Int64? = nil,
    meanwhile: @escaping @Sendable (Producer) async -> Void = { _ in },
    beforehand: @escaping @Sendable (Producer) async -> Void = { _ in }
  ) async throws -> [NumberedRow] {
    let rows = Lock<[NumberedRow]>([])
    let settings = ProducerSettings(
      batch: batch ?? newBatch(), isOrdered: ordered, window: window,
      deadlineMilliseconds: deadlineMilliseconds, leavesJobsOpen: leavesJobsOpen)
    try await pipeline(over: fetching).roles.withProducer(settings) { producer, _ in
      await beforehand(producer)
      async let beside: Void = meanwhile(producer)
      try await producer.run(ListFeed(drafts)) { arrived in rows.withLock { $0 += arrived } }
      await beside
    }
    return rows.withLock { $0 }
  }

  /// Runs a feed, over a network where every link ends at once unless there is another.
  package func run(
    feed: any JobFeed,
    over fetching: any Fetching = ScriptedFetching { _ in .success(FetchResponse(status: 200)) },
    into sink: @escaping Producer.RowSink
  ) async throws {
    let settings = ProducerSettings(batch: newBatch())
    try await pipeline(over: fetching).roles.withProducer(settings) { producer, _ in
      try await producer.run(feed, into: sink)
    }
  }

  /// Runs the roles while `body` talks to them, as clients and producers of its own.
  package func withFleet<Answer: Sendable>(
    over fetching: any Fetching, _ body: @Sendable @escaping (TestFleet) async throws -> Answer
  ) async throws -> Answer {
    let (roles, ports) = try pipeline(over: fetching)
    return try await roles.withRoles { try await body(TestFleet(ports: ports, aggregator: $0)) }
  }

  private func newBatch() -> BatchID {
    BatchID(random.uuid(at: clock.now))
  }

  private func pipeline(over fetching: any Fetching) throws -> (roles: LocalPipeline, ports: RolePorts) {
    let (transport, address) = try connected()
    let ports = RolePorts(transport: transport, clock: clock, random: random)
    let fetching = Array(repeating: fetching, count: self.transport == .severalFetchers ? 3 : 1)
    let roles = LocalPipeline(
      settings: settings, ports: ports, ledger: ledger, fetching: fetching, caching: caching,
      ledgerFails: ledgerFails, address: address)
    return (roles, ports)
  }

  private func connected() throws -> (transport: any Transport, address: @Sendable (String) -> Address) {
    switch transport {
    case .inProcess, .severalFetchers:
      return (InProcessTransport(clock: clock), { Address("inproc://\($0)") })
    case .framed:
      return (FramedTransport(over: InProcessTransport(clock: clock)), { Address("inproc://\($0)") })
    case .zeroMQ:
      let directory = try TemporaryDirectory()
      return (
        try ZeroMQTransport(clock: clock, laneClock: SystemClock()),
        { Address("ipc://\(directory.file($0))") }
      )
    }
  }
}
