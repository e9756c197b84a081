import ClockPosix
import LedgerMemory
package import Pipeline
package import Roles
import TransportInProcess

/// A fleet in this process, to which a test's clients and producers talk.
package struct TestFleet: Sendable {
  package let ports: RolePorts
  package let aggregator: Address

  /// Runs a fleet while `body` uses it, and ends it with it.
  ///
  /// - Parameters:
  ///   - program: What its workers say they are.
  ///   - turning: Called by its aggregator, see `Aggregator`.
  package static func run<Answer: Sendable>(
    over fetching: any Fetching, ledger: any Ledger = MemoryLedger(),
    settings: AggregatorSettings = AggregatorSettings(), caching: AnswerCaching? = nil,
    at address: Address = Address("inproc://aggregator"), program: WorkerProgram? = nil,
    turning: @escaping @Sendable () -> Void = {},
    _ body: @Sendable @escaping (TestFleet) async throws -> Answer
  ) async throws -> Answer {
    let clock = SystemClock()
    let transport = FramedTransport(over: InProcessTransport(clock: clock))
    let ports = RolePorts(transport: transport, clock: clock, random: .seeded(7))
    let inboxes = [
      try await transport.bind(address),
      try await transport.bind(Address("inproc://fetcher")),
      try await transport.bind(Address("inproc://decoder")),
    ]
    func identity() -> WorkerIdentity {
      WorkerIdentity(
        worker: WorkerID(ports.random.uuid(at: clock.now)), locality: "here", aggregator: inboxes[0].address,
        program: program)
    }
    let aggregator = Aggregator(
      settings: settings, inbox: inboxes[0], ledger: ledger, ports: ports, caching: caching,
      turning: turning)
    let fetcher = Fetcher(
      settings: FetcherSettings(concurrency: 8), identity: identity(), inbox: inboxes[1], ports: ports,
      fetching: fetching)
    let decoder = Decoder(identity: identity(), inbox: inboxes[2], ports: ports)
    let fleet = TestFleet(ports: ports, aggregator: inboxes[0].address)
    return try await withThrowingTaskGroup(of: Answer?.self) { group in
      group.addTask {
        try await aggregator.run()
        return nil
      }
      group.addTask {
        try await fetcher.run()
        return nil
      }
      group.addTask {
        try await decoder.run()
        return nil
      }
      group.addTask { try await body(fleet) }
      defer { group.cancelAll() }
      while let ended = try await group.next() {
        if let answer = ended { return answer }
      }
      throw CancellationError()
    }
  }

  /// A client under a name of its own.
  package func client(_ name: String = "client", timeoutMilliseconds: Int64 = 90_000) async throws
    -> FleetClient
  {
    FleetClient(
      inbox: try await ports.transport.bind(Address("inproc://\(name)")), aggregator: aggregator,
      ports: ports, timeoutMilliseconds: timeoutMilliseconds)
  }

  /// Submits drafts without waiting for rows.
  ///
  /// - Returns: How many were new.
  package func submit(
    _ drafts: [JobDraft], as batch: BatchID, name: String = "producer"
  ) async throws -> UInt64 {
    var settings = ProducerSettings(batch: batch)
    settings.collectsRows = false
    let inbox = try await ports.transport.bind(Address("inproc://\(name)"))
    let producer = Producer(settings: settings, inbox: inbox, aggregator: aggregator, ports: ports)
    try await producer.run(ListFeed(drafts)) { _ in }
    await inbox.close()
    return await producer.inserted
  }

  package func newBatch() -> BatchID { BatchID(ports.random.uuid(at: ports.clock.now)) }
}
