internal import HalyardConcurrency
package import Pipeline
internal import Posix

/// All roles in one process, joined by whatever transport the caller picks: one aggregator, and a fetcher and a decoder on
/// each thread that fetches.
package struct LocalPipeline: Sendable {
  package struct Settings: Sendable {
    package var aggregator = AggregatorSettings()
    package var fetcher = FetcherSettings()

    package init() {}
  }

  private let settings: Settings
  private let ports: RolePorts
  private let ledger: any Ledger
  private let fetching: [any Fetching]
  private let caching: AnswerCaching?
  private let ledgerFails: @Sendable (LedgerError?) -> Void
  private let address: @Sendable (_ role: String) -> Address

  /// - Parameters:
  ///   - fetching: At least one; each is used by a fetcher of its own, which has its share of the transfers.
  ///   - caching: Answers that are kept for later jobs; nil for none.
  ///   - ledgerFails: Called with the fault when a commit or a read fails and is repeated, and with nil once it succeeds.
  ///   - address: Where the transport is to bind each role.
  package init(
    settings: Settings, ports: RolePorts, ledger: any Ledger, fetching: [any Fetching],
    caching: AnswerCaching? = nil,
    ledgerFails: @escaping @Sendable (LedgerError?) -> Void = { _ in },
    address: @escaping @Sendable (_ role: String) -> Address = { Address("inproc://\($0)") }
  ) {
    self.settings = settings
    self.ports = ports.on(fetching[0])
    self.ledger = ledger
    self.fetching = fetching
    self.caching = caching
    self.ledgerFails = ledgerFails
    self.address = address
  }

  /// Runs the roles while `body` works with a producer, and ends them with it.
  ///
  /// - Parameter body: Gets a client too, for the pipeline's status.
  package func withProducer<Answer: Sendable>(
    _ settings: ProducerSettings, _ body: @Sendable @escaping (Producer, FleetClient) async throws -> Answer
  ) async throws -> Answer {
    let transport = ports.transport
    return try await transport.withInbox(at: address("producer")) { own in
      try await transport.withInbox(at: address("client")) { asking in
        try await withRoles { aggregator in
          let producer = Producer(settings: settings, inbox: own, aggregator: aggregator, ports: ports)
          let client = FleetClient(
            inbox: asking, aggregator: aggregator, ports: ports,
            timeoutMilliseconds: Self.timeoutMilliseconds)
          return try await body(producer, client)
        }
      }
    }
  }

  private static let timeoutMilliseconds: Int64 = 10_000

  /// Runs the roles while `body` works, and ends them with it. All their inboxes are bound before any role sends.
  package func withRoles<Answer: Sendable>(
    _ body: @Sendable @escaping (_ aggregator: Address) async throws -> Answer
  ) async throws -> Answer {
    var inboxes: [any Inbox] = []
    return try await withCleanup {
      let workers = fetching.indices.flatMap { ["fetcher-\($0)", "decoder-\($0)"] }
      for name in ["aggregator"] + workers {
        inboxes.append(try await ports.transport.bind(address(name)))
      }
      let aggregator = inboxes[0].address
      return try await run(roles(inboxes), beside: { try await body(aggregator) })
    } cleanup: {
      for inbox in inboxes { await inbox.close() }
    }
  }

  /// - Parameter inboxes: The aggregator's, then a fetcher's and a decoder's for each thread.
  private func roles(_ inboxes: [any Inbox]) -> [@Sendable () async throws -> Void] {
    let reached = inboxes[0].address
    let aggregator = Aggregator(
      settings: settings.aggregator, inbox: inboxes[0], ledger: ledger, ports: ports,
      caching: caching, ledgerFails: ledgerFails)
    return [{ try await aggregator.run() }]
      + fetching.enumerated().flatMap { index, fetching in
        let ports = ports.on(fetching)
        var settings = settings.fetcher
        settings.concurrency = max(1, settings.concurrency.share(index, of: self.fetching.count))
        let fetcher = Fetcher(
          settings: settings, identity: identity(index, under: reached), inbox: inboxes[1 + 2 * index],
          ports: ports, fetching: fetching)
        let decoder = Decoder(
          identity: identity(index, under: reached), inbox: inboxes[2 + 2 * index], ports: ports)
        return [ports.running { try await fetcher.run() }, ports.running { try await decoder.run() }]
      }
  }

  private func run<Answer: Sendable>(
    _ roles: [@Sendable () async throws -> Void], beside body: @Sendable @escaping () async throws -> Answer
  ) async throws -> Answer {
    let answer = Lock<Result<Answer, any Error>?>(nil)
    do {
      try await withTaskScope(on: ports.executor) { scope in
        defer { scope.cancel() }
        let ended = TaskChannel<Void>(capacity: 0)
        for role in roles { try await scope.start(role) }
        // Not the scope's own body, so that it ends with a role that fails. Its error is kept before the scope is left.
        try await scope.start {
          defer { ended.close() }
          let found: Result<Answer, any Error>
          do { found = .success(try await body()) } catch { found = .failure(error) }
          answer.withLock { $0 = found }
        }
        _ = try? await ended.receive()
      }
    } catch is TaskScopeError {
      throw CancellationError()
    }
    guard let answer = answer.withLock({ $0 }) else { throw CancellationError() }
    // However the body tells that it was cancelled.
    if case .failure = answer, Task.isCancelled { throw CancellationError() }
    return try answer.get()
  }

  /// A fetcher hands its documents to the decoder on its own thread.
  private func identity(_ thread: Int, under aggregator: Address) -> WorkerIdentity {
    WorkerIdentity(
      at: ports.clock.now, secret: LaneSecret(ports.random), locality: "thread \(thread)",
      aggregator: aggregator)
  }
}

extension RolePorts {
  /// For roles on the thread that fetches.
  fileprivate func on(_ fetching: any Fetching) -> RolePorts {
    var ports = self
    ports.executor = fetching.executor ?? executor
    return ports
  }

  fileprivate func running(
    _ role: @Sendable @escaping () async throws -> Void
  ) -> @Sendable () async throws -> Void {
    { [executor] in try await withTaskExecutorPreference(executor) { try await role() } }
  }
}
