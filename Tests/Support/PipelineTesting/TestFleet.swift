package import Pipeline
package import Roles

/// A fleet in this process, as a test's clients and producers reach it; see `TestPipeline.withFleet`.
package struct TestFleet: Sendable {
  package let ports: RolePorts
  package let aggregator: Address

  package init(ports: RolePorts, aggregator: Address) {
    (self.ports, self.aggregator) = (ports, aggregator)
  }

  /// Binds an inbox beside the aggregator's.
  package func bind(_ name: String) async throws -> any Inbox {
    let aggregator = aggregator.text
    precondition(aggregator.hasSuffix("aggregator"), "\(aggregator) does not end in the role's name")
    return try await ports.transport.bind(Address(aggregator.dropLast("aggregator".count) + name))
  }

  /// A client under a name of its own.
  package func client(_ name: String = "client", timeoutMilliseconds: Int64 = 90_000) async throws
    -> FleetClient
  {
    FleetClient(
      inbox: try await bind(name), aggregator: aggregator, ports: ports,
      timeoutMilliseconds: timeoutMilliseconds)
  }

  /// Submits drafts without waiting for rows.
  ///
  /// - Returns: How many were new.
  package func submit(
    _ drafts: [JobDraft], as batch: BatchID, name: String = "producer"
  ) async throws -> UInt64 {
    var settings = ProducerSettings(batch: batch)
    settings.collectsRows = false
    let inbox = try await bind(name)
    let producer = Producer(settings: settings, inbox: inbox, aggregator: aggregator, ports: ports)
    try await producer.run(ListFeed(drafts)) { _ in }
    await inbox.close()
    return await producer.inserted
  }

  package func newBatch() -> BatchID { BatchID(ports.random.uuid(at: ports.clock.now)) }
}
