import LedgerMemory
import Pipeline
import PipelineTesting
import Testing

@testable import Roles

/// A worker that was given up comes back with what it holds.
@Suite(.timeLimit(.minutes(10)))
struct ResumedLeaseTests {
  private let clock = ManualClock(isStepping: true)
  private let ledger = MemoryLedger()
  private let transport = RecordingTransport()
  private let batch = BatchID(UUIDv7(high: 2, low: 1))

  private func worker(_ number: UInt64) -> WorkerID { WorkerID.numbered(number) }
  private func address(_ number: UInt64) -> Address { Address("inproc://fetcher-\(number)") }

  private func hello(_ number: UInt64, held: [UInt64] = [], granted: UInt64 = 100) -> Delivery {
    let tokens = held.map { LeaseToken.sealed($0, of: JobID(batch: batch, ordinal: 0)) }
    return .envelope(
      Envelope.said(
        .hello(
          Hello(
            worker: worker(number), role: .fetcher, locality: "here", address: address(number),
            granted: granted,
            received: UInt64(held.count), held: tokens, executing: tokens))))
  }

  private func down(_ number: UInt64) -> Delivery { .lane(LaneNotice(address: address(number), isUp: false)) }

  private var submission: Delivery {
    let job = Job(batch: batch, ordinal: 0, kind: .unfurl, input: "http://a.test/")
    return .envelope(
      Envelope.said(
        .submit(
          Submit(batch: batch, sequence: 1, replyTo: Address("inproc://producer"), jobs: [job], total: 1))))
  }

  private var result: Delivery {
    let id = JobID(batch: batch, ordinal: 0)
    return .envelope(
      Envelope.said(
        .result(
          JobResult(
            job: id, sender: worker(1), lease: Lease(token: .sealed(1, of: id), attempt: 1), failure: nil,
            members: [], milliseconds: 0))))
  }

  private func run(_ bursts: [[Delivery]]) async throws {
    let clock = clock
    let inbox = ScriptedInbox(Address("inproc://aggregator"), bursts) { clock.advance(byMilliseconds: 1_000) }
    let ports = RolePorts(transport: transport, clock: clock, random: .seeded(1))
    let aggregator = Aggregator(settings: AggregatorSettings(), inbox: inbox, ledger: ledger, ports: ports)
    await #expect(throws: CancellationError.self) { try await aggregator.run() }
  }

  private var lives: [JobLife] {
    get async { await ledger.openJobs().map(\.life) }
  }

  /// Tokens of the jobs that a fetcher was sent.
  private func sent(_ number: UInt64) -> [UInt64] {
    transport.sent(to: address(number)).compactMap { message in
      if case .job(let order) = message { order.lease.token.value } else { nil }
    }
  }

  private static let leased = JobLife(state: .leased(LeaseToken(1)), attempts: 1, crashes: 0)

  @Test func `a fetcher that comes back goes on with what was given to nobody since`() async throws {
    try await run([[submission], [hello(1)], [down(1)], [hello(1, held: [1])]])
    #expect(await lives == [Self.leased])
    #expect(sent(1) == [1])
  }

  @Test func `so it does when its death was certain and charged`() async throws {
    // Silent for longer than a worker lives.
    let silence = Array(repeating: [Delivery](), count: 14)
    try await run([[submission], [hello(1)], [hello(1, held: [1])]] + silence + [[hello(1, held: [1])]])
    #expect(await lives == [Self.leased])
    #expect(sent(1) == [1])
  }

  @Test func `what others have by now stays theirs`() async throws {
    try await run([[submission], [hello(1)], [down(1)], [hello(2)], [hello(1, held: [1])]])
    #expect(await lives.map(\.state) == [.leased(LeaseToken(2))])
    #expect(sent(2) == [2])
    #expect(sent(1) == [1])
  }

  @Test func `its result counts when it comes before it says what it holds`() async throws {
    try await run([[submission], [hello(1)], [down(1)], [result], [hello(2)]])
    #expect(await lives.isEmpty)
    #expect(sent(2).isEmpty)
    #expect(await ledger.rows(of: batch, after: 0, limit: 9, bytes: .max).map(\.failure) == [nil])
  }

  @Test func `a lease that goes on can be lost again, and the job goes to another`() async throws {
    try await run([
      [submission], [hello(1)], [down(1)], [hello(1, held: [1])], [down(1)], [hello(2)],
    ])
    #expect(await lives.map(\.state) == [.leased(LeaseToken(2))])
    #expect(sent(2) == [2])
  }
}
