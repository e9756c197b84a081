import Coordination
package import FetchCurl
import LedgerMemory
package import Pipeline
import Posix
package import Roles
import TransportInProcess

extension RolePorts {
  /// Those of a process of its own.
  package init(_ transport: any Transport, clock: any PipelineClock, log: any Log = NoLog()) {
    self.init(
      transport: transport, clock: clock, random: Randomness { UInt64.random(in: .min ... .max) }, log: log)
  }

  /// For roles that share this process.
  ///
  /// - Parameter executor: Where they run; nil for the pool.
  package static func inProcess(
    clock: any PipelineClock, log: any Log = NoLog(), executor: (any TaskExecutor)?
  ) -> RolePorts {
    var ports = RolePorts(InProcessTransport(clock: clock), clock: clock, log: log)
    ports.executor = executor
    return ports
  }

  package func newBatch() -> BatchID { BatchID(random.uuid(at: clock.now)) }

  /// A new batch that leaves nothing behind.
  package func passingBatch() -> BatchID { .passing(random.uuid(at: clock.now)) }
}

extension Transport {
  /// Binds an inbox while `body` runs.
  package func withInbox<Answer>(
    at address: Address, _ body: (any Inbox) async throws -> Answer
  ) async throws -> Answer {
    let inbox = try await bind(address)
    return try await withCleanup {
      try await body(inbox)
    } cleanup: {
      await inbox.close()
    }
  }
}

/// Fetches over the network while `body` runs.
///
/// - Parameters:
///   - shortage: Told when fewer files may be open than the connections need: how many connections there are, how many
///     were wanted, and how many files may be open.
///   - body: Gets the number of connections, too.
package func withFetching<Answer>(
  _ settings: CurlSettings,
  shortage: (_ connections: Int, _ wanted: Int, _ files: Int) -> Void = { _, _, _ in },
  _ body: (CurlFetching, _ connections: Int) async throws -> Answer
) async throws -> Answer {
  var settings = settings
  let wanted = settings.connections
  if let files = raiseDescriptorLimit(to: settings.wantedDescriptors) {
    settings.fit(descriptors: files)
    if settings.connections < wanted { shortage(settings.connections, wanted, files) }
  }
  let fetching = CurlFetching(settings: settings)
  let connections = settings.connections
  return try await withCleanup {
    try await body(fetching, connections)
  } cleanup: {
    // Its thread ends when all transfers have, which must not block the threads of tasks.
    try? await BlockingWorker(name: "end of fetching").run { fetching.shutdown() }
  }
}

extension LocalPipeline {
  /// - Parameter ledger: Where jobs and rows are kept; nil for memory alone.
  package init(
    _ settings: Settings, _ ports: RolePorts, over fetching: any Fetching, ledger: (any Ledger)? = nil,
    caching: AnswerCaching? = nil
  ) {
    self.init(
      settings: settings, ports: ports, ledger: ledger ?? MemoryLedger(retellsCalls: false),
      fetching: fetching,
      caching: caching)
  }
}
