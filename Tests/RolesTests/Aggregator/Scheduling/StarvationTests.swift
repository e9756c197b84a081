import LedgerMemory
import LedgerSQLite
import Pipeline
import PipelineTesting
import Testing

@testable import Roles

/// No slot is free while a job could have it, whatever else waits.
@Suite(.timeLimit(.minutes(5)))
struct StarvationTests {
  private static func batch(_ number: UInt64) -> BatchID { BatchID(UUIDv7(high: 0xF - number, low: 1)) }

  private static var bounded: AggregatorSettings {
    var settings = AggregatorSettings()
    settings.mostInMemory = 10_000
    return settings
  }

  private static func links(_ count: Int, at host: String) -> [String] {
    (0..<count).map { "http://\(host)/\($0)" }
  }

  /// 12,000 links of a host that takes 19 seconds for each, and a minute later one link of an idle host.
  private static func example(_ ledger: any Ledger) -> WatchedAggregator {
    WatchedAggregator(
      bounded, ledger: ledger, window: 256,
      [
        WatchedAggregator.Submission(batch: batch(1), inputs: links(12_000, at: "slow.test")),
        WatchedAggregator.Submission(batch: batch(2), inputs: links(1, at: "idle.test"), at: 60_000),
      ],
      manner: { _ in WatchedAggregator.Manner(milliseconds: 19_000) },
      until: { $0.contains { $0.host == "idle.test" } || $0.count > 100 })
  }

  @Test func `a link of an idle host starts at once beside 12,000 links of a slow one`() async throws {
    let watched = Self.example(MemoryLedger())
    try await watched.run()
    #expect(watched.started.last?.host == "idle.test")
    #expect(watched.started.count <= 8 * 5)
    #expect(watched.sleptIdly == nil)
    #expect(watched.mostIdleTurns <= 2)
  }

  @Test func `the same with a ledger in a file`() async throws {
    let directory = try TemporaryDirectory()
    let ledger = try await SQLiteLedger.open(path: directory.file("jobs.ledger"))
    let watched = Self.example(InstantLedger(base: ledger))
    try await watched.run()
    #expect(watched.started.last?.host == "idle.test")
    #expect(watched.sleptIdly == nil)
    #expect(watched.mostIdleTurns <= 2)
    await ledger.close()
  }

  @Test func `idle hosts behind 12,000 links of a slow one in the same list start within a few turns`()
    async throws
  {
    let others = (0..<2_000).map { "http://h\($0).test/" }
    let watched = WatchedAggregator(
      Self.bounded, window: 256,
      [
        WatchedAggregator.Submission(
          batch: Self.batch(1), inputs: Self.links(12_000, at: "slow.test") + others)
      ],
      manner: { WatchedAggregator.Manner(milliseconds: $0 == "slow.test" ? 19_000 : 50) },
      until: { $0.count { $0.host != "slow.test" } == 2_000 })
    try await watched.run()
    #expect(watched.started.count { $0.host == "slow.test" } <= 16)
    #expect(watched.sleptIdly == nil)
    #expect(watched.mostIdleTurns <= 4)
  }

  @Test func `a batch that comes while memory is full of another has its turns`() async throws {
    let many = (0..<15_000).map { "http://h\($0).test/" }
    let few = (0..<100).map { "http://other\($0).test/" }
    let watched = WatchedAggregator(
      Self.bounded, window: 64,
      [
        WatchedAggregator.Submission(batch: Self.batch(1), inputs: many),
        WatchedAggregator.Submission(batch: Self.batch(2), inputs: few, at: 1_000),
      ],
      manner: { _ in WatchedAggregator.Manner(milliseconds: 500) },
      until: { $0.count { $0.job.batch == Self.batch(2) } == 100 || $0.count > 2_000 })
    try await watched.run()
    let first = try #require(watched.started.firstIndex { $0.job.batch == Self.batch(2) })
    let turns = watched.started[first...].count { $0.job.batch == Self.batch(1) }
    #expect(watched.started.count { $0.job.batch == Self.batch(2) } == 100)
    // Three bursts of 64, half of each the other's, and what the last leaves to it.
    #expect(turns <= 3 * 32 + 60, "\(turns) of the other batch")
  }

  @Test func `batches that want the same host take turns, whichever came first`() async throws {
    let watched = WatchedAggregator(
      Self.bounded, window: 64,
      (1...3).map {
        WatchedAggregator.Submission(
          batch: Self.batch($0), inputs: Self.links(500, at: "one.test"), at: Int64($0) * 1_000)
      }, manner: { _ in WatchedAggregator.Manner(milliseconds: 1_000) },
      until: { $0.count == 400 })
    try await watched.run()
    let counts = (1...3).map { number in
      watched.started.dropFirst(40).count { $0.job.batch == Self.batch(number) }
    }
    #expect(counts.allSatisfy { 105...135 ~= $0 }, "\(counts)")
  }

  @Test func `a host has few jobs in memory however many batches want it`() async throws {
    var settings = AggregatorSettings()
    settings.mostInMemory = 200
    let ports = RolePorts(
      transport: RecordingTransport(), clock: ManualClock(isStepping: true), random: .seeded(1))
    let submits = (0..<900 as Range<UInt64>).map { number in
      let batch = BatchID(UUIDv7(high: number + 1, low: 1))
      let job = Job(batch: batch, ordinal: 0, kind: .unfurl, input: "http://one.test/\(number)")
      return Message.submit(
        Submit(batch: batch, sequence: 1, replyTo: Address("inproc://producer"), jobs: [job]))
    }
    let inbox = ScriptedInbox(Address("inproc://aggregator"), [submits, [], [], []])
    let aggregator = Aggregator(settings: settings, inbox: inbox, ledger: MemoryLedger(), ports: ports)
    await #expect(throws: CancellationError.self) { try await aggregator.run() }
    #expect(await aggregator.leakCounts["queued jobs", default: 0] <= 64)
  }

  @Test func `hosts that pause give their room to others`() async throws {
    // Each asks for a minute's peace after its second answer, and each has more jobs than it can start soon.
    var settings = Self.bounded
    settings.mostInMemory = 200
    let inputs = (0..<40).flatMap { host in Self.links(40, at: "busy\(host).test") }
    let idle = (0..<100).map { "http://idle\($0).test/" }
    let watched = WatchedAggregator(
      settings, window: 64,
      [
        WatchedAggregator.Submission(batch: Self.batch(1), inputs: inputs),
        WatchedAggregator.Submission(batch: Self.batch(2), inputs: idle, at: 5_000),
      ],
      manner: { WatchedAggregator.Manner(milliseconds: 100, peaceAfter: $0.hasPrefix("busy") ? 2 : 0) },
      until: { $0.count == 1_700 })
    try await watched.run()
    let last = watched.started.lastIndex { $0.host.hasPrefix("idle") } ?? .max
    #expect(last < 900, "the idle hosts did not wait for the others' pauses")
    #expect(Set(watched.started.map(\.job.id)).count == 1_700)
    #expect(watched.sleptIdly == nil)
  }

  /// Lists of a slow host and idle ones in several batches, memory from tiny to large.
  @Test(arguments: 0..<60 as Range<UInt64>)
  func `a slot and a job that could have it are never apart for long`(seed: UInt64) async throws {
    let random = Randomness.seeded(seed)
    func below(_ limit: UInt64) -> Int { Int(random.bits() % limit) }
    var settings = AggregatorSettings(perHost: 1 + below(4))
    settings.mostInMemory = [8, 20, 60, 200][below(4)]
    // All jobs are to start, also those of hosts that ask to wait for long.
    settings.givesUpAfter = nil
    let hosts = 1 + below(80)
    var submissions: [WatchedAggregator.Submission] = []
    for number in 0...UInt64(below(4)) {
      let slow = Self.links(below(120), at: "slow\(number).test")
      let others = (0..<below(150)).map { "http://h\(below(UInt64(hosts))).test/\(number)/\($0)" }
      let inputs =
        below(2) == 0 ? slow + others : (slow + others).sorted { $0.hashed(seed) < $1.hashed(seed) }
      submissions.append(
        WatchedAggregator.Submission(batch: Self.batch(number), inputs: inputs, at: Int64(below(4_000))))
    }
    submissions.sort { $0.at < $1.at }
    let total = submissions.reduce(0) { $0 + $1.inputs.count }
    let peace = below(3) == 0
    let watched = WatchedAggregator(
      settings, window: 1 + below(40), submissions,
      manner: {
        WatchedAggregator.Manner(
          milliseconds: $0.hasPrefix("slow") ? 3_000 : 40, peaceAfter: peace && $0.hasSuffix("3.test") ? 3 : 0
        )
      }, until: { $0.count >= total })
    try await watched.run()
    #expect(Set(watched.started.map(\.job.id)).count == total)
    #expect(watched.sleptIdly == nil, "seed \(seed)")
    #expect(watched.mostIdleTurns <= 8, "seed \(seed)")
  }
}

extension String {
  fileprivate func hashed(_ seed: UInt64) -> UInt64 {
    utf8.reduce(seed | 1) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
  }
}
