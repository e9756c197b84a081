import LedgerMemory
import Pipeline
import PipelineTesting
import Testing

@testable import Roles

/// What the weights of batches come to with an aggregator that keeps most jobs in its ledger.
@Suite(.timeLimit(.minutes(5)))
struct SharedFleetTests {
  private static func batch(_ number: UInt64) -> BatchID { BatchID(UUIDv7(high: 0xF - number, low: 1)) }

  private static func terms(_ change: (inout BatchTerms) -> Void) -> BatchTerms {
    var terms = BatchTerms()
    change(&terms)
    return terms
  }

  private static func watched(
    _ submissions: [WatchedAggregator.Submission], window: Int, ledger: any Ledger = MemoryLedger(),
    until isOver: @escaping @Sendable ([WatchedAggregator.Started]) -> Bool
  ) -> WatchedAggregator {
    var settings = AggregatorSettings()
    settings.mostInMemory = 2_000
    return WatchedAggregator(
      settings, ledger: ledger, window: window, submissions,
      // Not all at once, or there would be as few turns as answers.
      manner: { host in
        WatchedAggregator.Manner(milliseconds: 500 + host.utf8.reduce(0) { ($0 * 31 + Int64($1)) % 1_000 })
      }, until: isOver)
  }

  private static func links(_ count: Int, _ name: String, hosts: Int) -> [String] {
    (0..<count).map { "http://\(name)\($0 % hosts).test/\($0)" }
  }

  @Test func `a batch starts at its time, and no job of it is in memory before`() async throws {
    let start = ManualClock(isStepping: true).now.advanced(byMilliseconds: 20_000)
    let submissions = [
      WatchedAggregator.Submission(
        batch: Self.batch(0), inputs: Self.links(500, "a", hosts: 100),
        terms: Self.terms { ($0.weight, $0.startsAt) = (100, start) }),
      WatchedAggregator.Submission(batch: Self.batch(1), inputs: Self.links(4_000, "b", hosts: 800)),
    ]
    let watched = Self.watched(submissions, window: 64) { $0.count { $0.job.batch == Self.batch(0) } >= 400 }
    try await watched.run()
    let first = try #require(watched.started.first { $0.job.batch == Self.batch(0) })
    #expect(first.at >= 19_000 && first.at <= 23_000, "\(first.at)")
    #expect(watched.started.count { $0.job.batch == Self.batch(1) } >= 1_000)
  }
}
