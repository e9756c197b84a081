package import FetchCurl
import HalyardConcurrency
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
  package static func inProcess(clock: any PipelineClock, log: any Log = NoLog()) -> RolePorts {
    RolePorts(InProcessTransport(clock: clock), clock: clock, log: log)
  }

  /// For a process that asks a fleet, or fetches for it. Without the fleet's key its secret shows nothing.
  package mutating func show(_ key: RunKey?) {
    secret = key?.secret(random) ?? LaneSecret(random)
  }

  package func newBatch() -> BatchID { BatchID(random.uuid(at: clock.now)) }

  /// A new batch that leaves nothing behind.
  package func passingBatch() -> BatchID { .passing(random.uuid(at: clock.now)) }
}

/// Fetches over the network while `body` runs.
///
/// - Parameters:
///   - threads: How many fetch. All together keep to the limits of the settings.
///   - shortage: Called when fewer files may be open than the transfers need: with how many transfers there are, how many
///     were wanted, and how many files may be open.
///   - body: Gets the number of transfers, too.
package func withFetching<Answer>(
  _ settings: CurlSettings, threads: Int = 1,
  shortage: (_ transfers: Int, _ wanted: Int, _ files: Int) -> Void = { _, _, _ in },
  _ body: ([CurlFetching], _ transfers: Int) async throws -> Answer
) async throws -> Answer {
  var settings = settings
  let wanted = settings.transfers
  if let files = raiseDescriptorLimit(to: settings.wantedDescriptors(threads: threads)) {
    settings.fit(descriptors: files, threads: threads)
    if settings.transfers < wanted { shortage(settings.transfers, wanted, files) }
  }
  let memory = LargeBodyMemory(total: settings.largeBodyBytes)
  let fetching = settings.shared(among: threads).map { CurlFetching(settings: $0, memory: memory) }
  let transfers = settings.transfers
  return try await withCleanup {
    try await body(fetching, transfers)
  } cleanup: {
    // The threads end when all transfers have, which must not block the threads of tasks.
    try? await BlockingWorker(name: "end of fetching").run { for one in fetching { one.shutdown() } }
  }
}
