import LedgerMemory
import Pipeline
import PipelineTesting
import Testing

@testable import Roles

/// Jobs that wait for the row of another take their part of memory and no more.
@Suite(.timeLimit(.minutes(5)))
struct EqualLinksTests {
  private static func batch(_ number: UInt64) -> BatchID { BatchID(UUIDv7(high: 0xFFFF - number, low: 1)) }

  private static var settings: AggregatorSettings {
    var settings = AggregatorSettings()
    settings.mostInMemory = 200
    return settings
  }

  private static func equal(_ count: Int, and others: [String] = []) -> [String] {
    Array(repeating: "http://down.test/", count: count) + others
  }

  private static func manner(_ host: String) -> WatchedAggregator.Manner {
    WatchedAggregator.Manner(milliseconds: 50, isDown: host == "down.test")
  }

  @Test func `a link of an idle host starts at once beside thousands of equal ones that only fail`()
    async throws
  {
    let watched = WatchedAggregator(
      Self.settings, window: 64,
      [
        WatchedAggregator.Submission(batch: Self.batch(1), inputs: Self.equal(4_000)),
        WatchedAggregator.Submission(batch: Self.batch(2), inputs: ["http://idle.test/"], at: 1_000),
      ],
      manner: Self.manner, until: { $0.contains { $0.host == "idle.test" } || $0.count > 100 })
    try await watched.run()
    #expect(watched.started.last?.host == "idle.test")
    #expect(watched.started.last?.at == 1_000)
    #expect(watched.mostInMemory <= 100)
  }

  @Test func `equal links that only fail all come to their end, a few at a time`()
    async throws
  {
    let ledger = MemoryLedger()
    let watched = WatchedAggregator(
      Self.settings, ledger: ledger, window: 64,
      [
        WatchedAggregator.Submission(
          batch: Self.batch(1), inputs: Self.equal(2_000, and: ["http://down.test/x"]))
      ],
      manner: Self.manner, until: { $0.count > 1_000 })
    try await watched.run()
    let counts = await ledger.summary(batches: 0).jobs
    #expect(counts.dead == 2_001)
    #expect(counts.open == 0)
    let rows = await ledger.rows(of: Self.batch(1), after: 0, limit: 3_000, bytes: .max)
    #expect(Set(rows.map(\.ordinal)).count == 2_001)
    #expect(rows.count == 2_001)
    #expect(watched.started.contains { $0.job.input == "http://down.test/x" })
    // Each flight takes a good part of what memory has room for.
    #expect(Set(watched.started.map(\.job.id)).count <= 2_001 / 25)
    #expect(watched.mostInMemory <= 100)
  }

  @Test func `another batch's links of the same host start while equal ones wait`() async throws {
    let others = (0..<20).map { "http://down.test/\($0)" }
    let watched = WatchedAggregator(
      Self.settings, window: 64,
      [
        WatchedAggregator.Submission(batch: Self.batch(1), inputs: Self.equal(4_000)),
        WatchedAggregator.Submission(batch: Self.batch(2), inputs: others, at: 1_000),
      ],
      manner: Self.manner,
      until: { Set($0.filter { $0.job.batch == Self.batch(2) }.map(\.job.id)).count == 20 || $0.count > 200 })
    try await watched.run()
    let first = watched.started.filter { $0.job.batch == Self.batch(2) }
    #expect(Set(first.map(\.job.id)).count == 20)
    #expect(first.first?.at == 1_000)
    #expect(first.allSatisfy { $0.at < 2_000 })
  }

  @Test func `batches of one link each, all equal, fill no memory`() async throws {
    let batches = (1...900 as ClosedRange<UInt64>).map {
      WatchedAggregator.Submission(batch: Self.batch($0), inputs: Self.equal(1))
    }
    let idle = WatchedAggregator.Submission(
      batch: Self.batch(1_000), inputs: ["http://idle.test/"], at: 1_000)
    let watched = WatchedAggregator(
      Self.settings, window: 64, batches + [idle], manner: Self.manner,
      until: { $0.contains { $0.host == "idle.test" } || $0.count > 100 })
    try await watched.run()
    #expect(watched.started.last?.at == 1_000)
    #expect(watched.mostInMemory <= 100)
  }
}
