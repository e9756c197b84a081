import LedgerMemory
import LedgerSQLite
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
      settings, ledger: ledger, window: window, submissions, looks: false,
      // Not all at once, or there would be as few turns as answers.
      manner: { host in
        WatchedAggregator.Manner(milliseconds: 500 + host.utf8.reduce(0) { ($0 * 31 + Int64($1)) % 1_000 })
      }, until: isOver)
  }

  private static func links(_ count: Int, _ name: String, hosts: Int) -> [String] {
    (0..<count).map { "http://\(name)\($0 % hosts).test/\($0)" }
  }

  @Test func `memory has of each batch what its weight needs, with a ledger in a file`() async throws {
    let directory = try TemporaryDirectory()
    let ledger = try await SQLiteLedger.open(path: directory.file("jobs.ledger"))
    let weights: [UInt32] = [10, 100, 30]
    let submissions = weights.enumerated().map { number, weight in
      WatchedAggregator.Submission(
        batch: Self.batch(UInt64(number)), inputs: Self.links(6_000, "b\(number)h", hosts: 3_000),
        at: Int64(number) * 1_000, terms: Self.terms { $0.weight = weight })
    }
    let watched = Self.watched(submissions, window: 128, ledger: InstantLedger(base: ledger)) {
      $0.count >= 5_000
    }
    try await watched.run()
    let steady = watched.started.dropFirst(500).prefix(4_500)
    for (number, weight) in weights.enumerated() {
      let count = steady.count { $0.job.batch == Self.batch(UInt64(number)) }
      let asked = Double(steady.count) * Double(weight) / 140
      #expect(abs(Double(count) - asked) <= 0.05 * asked, "\(count) of \(asked)")
    }
    await ledger.close()
  }

  @Test func `limits hold, and the batch that has none gets the rest`() async throws {
    let submissions = [
      WatchedAggregator.Submission(
        batch: Self.batch(0), inputs: Self.links(3_000, "a", hosts: 600),
        terms: Self.terms { ($0.weight, $0.atMost) = (1_000, 5) }),
      WatchedAggregator.Submission(
        batch: Self.batch(1), inputs: Self.links(3_000, "a", hosts: 600),
        terms: Self.terms { ($0.weight, $0.perHour) = (1_000, 7 * 3_600) }),
      WatchedAggregator.Submission(batch: Self.batch(2), inputs: Self.links(4_000, "a", hosts: 600)),
    ]
    let watched = Self.watched(submissions, window: 64) { $0.count >= 3_500 }
    try await watched.run()
    let starts = watched.started
    func times(_ number: UInt64) -> [Int64] {
      starts.filter { $0.job.batch == Self.batch(number) }.map(\.at)
    }
    let last = try #require(starts.last?.at)
    // At least half a second each, five at once.
    #expect((last / 400...last / 100).contains(Int64(times(0).count)))
    for (number, most, span) in [(UInt64(0), 5, Int64(500)), (1, 7, 1_000)] {
      let times = times(number)
      for index in times.indices.dropFirst(most) where times[index] - times[index - most] < span {
        Issue.record("\(most) and one more of batch \(number) within \(span) ms")
        break
      }
    }
    #expect(Int64(times(1).count) >= 6 * last / 1_000)
    #expect(times(2).count >= starts.count / 2)
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
