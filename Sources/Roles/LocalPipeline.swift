public import Pipeline

/// All roles in one process, joined by whatever transport the caller picks.
public struct LocalPipeline: Sendable {
  public struct Settings: Sendable {
    public var aggregator: AggregatorSettings
    public var fetcher: FetcherSettings

    public init(aggregator: AggregatorSettings = .init(), fetcher: FetcherSettings = .init()) {
      self.aggregator = aggregator
      self.fetcher = fetcher
    }
  }

  private let settings: Settings
  private let ports: RolePorts
  private let ledger: any Ledger
  private let fetching: any Fetching

  public init(settings: Settings, ports: RolePorts, ledger: any Ledger, fetching: any Fetching) {
    self.settings = settings
    self.ports = ports
    self.ledger = ledger
    self.fetching = fetching
  }

  /// Runs the roles while `body` works with a producer, and ends them with it.
  public func withProducer<Answer: Sendable>(
    _ settings: ProducerSettings, _ body: @Sendable @escaping (Producer) async throws -> Answer
  ) async throws -> Answer {
    let roles = try await bindRoles()
    let inbox = try await ports.transport.bind(Address("inproc://producer"))
    let producer = Producer(settings: settings, inbox: inbox, aggregator: Self.aggregator, ports: ports)
    return try await withThrowingTaskGroup(of: Answer?.self) { group in
      for role in roles {
        group.addTask {
          try await role()
          return nil
        }
      }
      group.addTask { try await body(producer) }
      defer { group.cancelAll() }
      while let ended = try await group.next() {
        if let answer = ended { return answer }
      }
      throw CancellationError()
    }
  }

  private static let aggregator = Address("inproc://aggregator")

  /// Binds every inbox before any role speaks.
  private func bindRoles() async throws -> [@Sendable () async throws -> Void] {
    let aggregator = Aggregator(
      settings: settings.aggregator, inbox: try await ports.transport.bind(Self.aggregator), ledger: ledger,
      ports: ports)
    let fetcher = Fetcher(
      settings: settings.fetcher, identity: identity(), inbox: try await bind("fetcher"), ports: ports,
      fetching: fetching)
    let decoder = Decoder(identity: identity(), inbox: try await bind("decoder"), ports: ports)
    return [
      { try await aggregator.run() }, { try await fetcher.run() }, { try await decoder.run() },
    ]
  }

  private func bind(_ name: String) async throws -> any Inbox {
    try await ports.transport.bind(Address("inproc://\(name)"))
  }

  private func identity() -> WorkerIdentity {
    WorkerIdentity(
      worker: WorkerID(ports.random.uuid(at: ports.clock.now)), cell: "local", aggregator: Self.aggregator)
  }
}
