import LedgerMemory
import Pipeline
import PipelineTesting
import Posix
import Testing

@testable import Roles

/// Whom an aggregator takes for dead, and what that costs a job.
@Suite(.timeLimit(.minutes(10)))
struct SuspicionTests {
  private final class RememberingLog: Log {
    private let said = Lock<[String]>([])
    var lines: [String] { said.withLock { $0 } }

    func record(_ level: LogLevel, _ message: StaticString, _ metadata: [LogField]) {
      said.withLock { $0.append("\(message)") }
    }
  }

  private let clock = ManualClock(isStepping: true)
  private let ledger = MemoryLedger()
  private let batch = BatchID(UUIDv7(high: 2, low: 1))
  private let log = RememberingLog()

  private func worker(_ number: UInt64) -> WorkerID { WorkerID.numbered(number) }
  private func address(_ number: UInt64) -> Address { Address("inproc://fetcher-\(number)") }

  private func hello(_ number: UInt64, as role: Role = .fetcher, granted: UInt64 = 100) -> Delivery {
    .envelope(
      Envelope.said(
        .hello(
          Hello(
            worker: worker(number), role: role, locality: "here", address: address(number), granted: granted,
            received: 0))))
  }

  /// A fetcher's lane to a decoder went down while that read a suspect.
  private func giveBack(_ token: UInt64, from fetcher: UInt64, lost decoder: UInt64) -> Delivery {
    let giveBack = GiveBack(
      from: worker(fetcher), tokens: [.sealed(token, of: JobID(batch: batch, ordinal: 0))], executing: 1,
      reason: .peerLost, peer: worker(decoder))
    return .envelope(Envelope.said(.giveBack(giveBack)))
  }

  private func down(_ number: UInt64, mayBeReload: Bool = false) -> Delivery {
    .lane(LaneNotice(address: address(number), isUp: false, mayBeReload: mayBeReload))
  }

  private func up(_ number: UInt64) -> Delivery { .lane(LaneNotice(address: address(number), isUp: true)) }

  private var submission: Delivery {
    let job = Job(batch: batch, ordinal: 0, kind: .unfurl, input: "http://a.test/")
    return .envelope(
      Envelope.said(
        .submit(
          Submit(batch: batch, sequence: 1, replyTo: Address("inproc://producer"), jobs: [job], total: 1))))
  }

  /// Runs an aggregator over bursts that come a second after each other.
  private func run(_ bursts: [[Delivery]]) async throws {
    let clock = clock
    let inbox = ScriptedInbox(Address("inproc://aggregator"), bursts) { clock.advance(byMilliseconds: 1_000) }
    let ports = RolePorts(transport: RecordingTransport(), clock: clock, random: .seeded(1), log: log)
    let aggregator = Aggregator(settings: AggregatorSettings(), inbox: inbox, ledger: ledger, ports: ports)
    await #expect(throws: CancellationError.self) { try await aggregator.run() }
  }

  private var crashes: [UInt8] {
    get async { await ledger.openJobs().map(\.life.crashes) }
  }

  private var attempts: [UInt16] {
    get async { await ledger.openJobs().map(\.life.attempts) }
  }

  private let silence: [[Delivery]] = Array(repeating: [], count: 5)

  @Test func `connections that are reset under a job cost it nothing, however often`() async throws {
    let reset = [[down(1)], [hello(1)]]
    try await run([[submission], [hello(1)]] + reset + reset + reset + reset)
    #expect(await crashes == [0])
    #expect(await attempts == [1], "only the one that it is on")
  }

  @Test func `a reload that cuts a lane takes nothing from its worker`() async throws {
    let reload = [[down(1, mayBeReload: true), hello(2)], [hello(1)], [up(1)]]
    try await run([[submission], [hello(1)]] + reload + silence)
    #expect(await attempts == [1])
    #expect(log.lines.isEmpty, "\(log.lines)")
  }

  @Test func `a worker whose lane stays cut counts as dead after a while, and is welcome when it is back`()
    async throws
  {
    try await run([[submission], [hello(1)], [down(1, mayBeReload: true)]] + silence + [[hello(1)]])
    #expect(
      log.lines == [
        "a fetcher counts as dead, its jobs go to others",
        "a worker that counted as dead is back, and goes on with the jobs that no other worker has",
      ])
    #expect(await crashes == [0])
  }

  @Test func `who comes back is not greeted when nothing was said of its end`() async throws {
    try await run([
      [hello(1), hello(7, as: .decoder)], [down(1), down(7)], [hello(1), hello(7, as: .decoder)],
    ])
    #expect(log.lines.isEmpty, "\(log.lines)")
  }

  @Test func `who fell silent is greeted when it is back, also without a job`() async throws {
    try await run([[hello(1)]] + silence + silence + [[hello(1)]])
    #expect(
      log.lines == [
        "worker is silent, its jobs go to others",
        "a worker that counted as dead is back, and goes on with the jobs that no other worker has",
      ])
  }

  @Test func `a decoder whose lane was reset under a suspect lives, and the suspect is not charged`()
    async throws
  {
    let reset = (1...4 as ClosedRange<UInt64>).flatMap {
      [[giveBack($0, from: 1, lost: 7)], [hello(7, as: .decoder)]]
    }
    try await run([[submission], [hello(1), hello(7, as: .decoder)]] + reset)
    #expect(await crashes == [0])
    #expect(await attempts == [1])
  }

  /// It is ready again by then, or somebody else's.
  @Test(arguments: [0, 1] as [UInt64])
  func `the success of a worker that was taken for dead counts when it lives`(credit: UInt64) async throws {
    let id = JobID(batch: batch, ordinal: 0)
    let result = JobResult(
      job: id, sender: worker(1), lease: Lease(token: .sealed(1, of: id), attempt: 1), failure: nil,
      members: [], milliseconds: 0)
    try await run([
      [submission], [hello(1)], [down(1)], [hello(1, granted: credit)],
      [.envelope(Envelope.said(.result(result)))],
    ])
    #expect(await crashes == [])
    #expect(await ledger.rows(of: batch, after: 0, limit: 9, bytes: .max).map(\.failure) == [nil])
  }

  @Test func `a decoder that is silent after its lane went down under a suspect died of it`() async throws {
    let begin = [[submission], [hello(1), hello(7, as: .decoder)], [giveBack(1, from: 1, lost: 7)]]
    try await run(begin + silence)
    #expect(await crashes == [1])
    #expect(await attempts == [2])
  }

  @Test func `a job that three resets made look poisoned goes on when the workers speak again`() async throws
  {
    try await run([
      [submission], [hello(1)], [down(1), hello(2)], [down(2), hello(3)], [down(3)],
      [hello(1), hello(2), hello(3)],
    ])
    #expect(await crashes == [0])
  }

  @Test func `a worker that stays silent is charged`() async throws {
    try await run([[submission], [hello(1)], [down(1)]] + silence)
    #expect(await crashes == [1])
  }

  @Test func `others get a job at once, while it is not known yet whether its worker died`() async throws {
    let deaths = (1...3 as ClosedRange<UInt64>).flatMap { [[hello($0)], [down($0)]] }
    try await run([[submission]] + deaths)
    #expect(await crashes == [3], "the third one may live")
  }

  @Test func `a job that three workers died on is a dead letter`() async throws {
    let deaths = (1...3 as ClosedRange<UInt64>).flatMap { [[hello($0)], [down($0)]] }
    try await run([[submission]] + deaths + silence)
    #expect(await crashes == [])
    let rows = await ledger.rows(of: batch, after: 0, limit: 9, bytes: .max)
    #expect(rows.map(\.failure) == [.poisoned])
  }
}
