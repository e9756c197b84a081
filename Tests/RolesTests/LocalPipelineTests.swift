import Assembly
import HalyardConcurrency
import LedgerMemory
import Pipeline
import PipelineTesting
import Posix
import Roles
import Testing
import TransportInProcess

/// How the roles of one process begin and end together.
@Suite(.timeLimit(.minutes(10)))
struct LocalPipelineTests {
  private struct Broken: Error, Equatable {}

  /// Nobody reaches anybody over it.
  private struct NoTransport: Transport {
    let place = InProcessTransport(clock: SystemClock())

    func bind(_ address: Address) async throws -> any Inbox { try await place.bind(address) }

    func connect(to address: Address, notifying inbox: (any Inbox)?) async throws -> any Outlet {
      throw Broken()
    }
  }

  private let settings = ProducerSettings(batch: BatchID(UUIDv7(high: 1, low: 1)))

  private func pipeline(_ transport: (any Transport)? = nil) -> LocalPipeline {
    let clock = SystemClock()
    let transport = transport ?? InProcessTransport(clock: clock)
    return LocalPipeline(
      settings: .init(), ports: RolePorts(transport: transport, clock: clock, random: .seeded(1)),
      ledger: MemoryLedger(), fetching: [ScriptedFetching([:])])
  }

  /// Returns when it is cancelled.
  private static func endless(_ begun: TaskChannel<Void>? = nil) async throws {
    begun?.close()
    _ = try await TaskChannel<Void>(capacity: 0).receive()
  }

  @Test func `a role that fails ends what is done beside it, and its error is told`() async {
    await #expect(throws: Broken.self) {
      try await soon("the end of a pipeline whose roles fail") {
        try await pipeline(NoTransport()).withProducer(settings) { _, _ in try await Self.endless() }
      }
    }
  }

  @Test func `what is done beside the roles ends them, with its value or its error`() async throws {
    // Each finds its addresses free again.
    let place = InProcessTransport(clock: SystemClock())
    try await soon("the ends of two hundred pipelines") { () async throws in
      #expect(try await pipeline(place).withProducer(settings) { _, _ in 7 } == 7)
      #expect(try await pipeline(place).withProducer(settings) { _, _ in Int?.none } == nil)
      // Often, because its end and its error are told by different tasks.
      for _ in 0..<200 {
        await #expect(throws: Broken.self) {
          try await pipeline(place).withProducer(settings) { _, _ in throw Broken() }
        }
      }
    }
  }

  @Test func `cancelling the task ends all of it`() async throws {
    let begun = TaskChannel<Void>(capacity: 0)
    let task = Task { try await pipeline().withProducer(settings) { _, _ in try await Self.endless(begun) } }
    #expect(try await soon("the work beside the roles") { try await begun.receive() } == nil)
    task.cancel()
    await #expect(throws: CancellationError.self) {
      try await soon("the end of a cancelled pipeline") { try await task.value }
    }
  }
}
