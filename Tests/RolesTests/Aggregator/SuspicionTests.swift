import LedgerMemory
import Pipeline
import PipelineTesting
import Testing

@testable import Roles

/// Whom an aggregator takes for dead, and what that costs a job.
struct SuspicionTests {
  private let clock = SteppingClock()
  private let ledger = MemoryLedger()
  private let batch = BatchID(UUIDv7(high: 2, low: 1))

  private func worker(_ number: UInt64) -> WorkerID { WorkerID(UUIDv7(high: 1, low: number)) }
  private func address(_ number: UInt64) -> Address { Address("inproc://fetcher-\(number)") }

  private func hello(_ number: UInt64) -> Delivery {
    .envelope(
      Envelope(
        .hello(
          Hello(
            worker: worker(number), role: .fetcher, cell: "here", address: address(number), granted: 100,
            received: 0))))
  }

  private func down(_ number: UInt64) -> Delivery {
    .lane(LaneNotice(address: address(number), isUp: false))
  }

  private var submission: Delivery {
    let job = Job(batch: batch, ordinal: 0, kind: .unfurl, input: "http://a.test/")
    return .envelope(
      Envelope(
        .submit(
          Submit(batch: batch, sequence: 1, replyTo: Address("inproc://producer"), jobs: [job], total: 1))))
  }

  /// Runs an aggregator over bursts that come a second after each other.
  private func run(_ bursts: [[Delivery]]) async throws {
    let clock = clock
    let inbox = ScriptedInbox(Address("inproc://aggregator"), bursts) { clock.advance(byMilliseconds: 1_000) }
    let ports = RolePorts(transport: RecordingTransport(), clock: clock, random: .seeded(1))
    let aggregator = Aggregator(settings: AggregatorSettings(), inbox: inbox, ledger: ledger, ports: ports)
    await #expect(throws: CancellationError.self) { try await aggregator.run() }
  }

  private var crashes: [UInt8] {
    get async { await ledger.openJobs(.all, after: nil, limit: 9).map(\.life.crashes) }
  }

  private let silence: [[Delivery]] = Array(repeating: [], count: 5)

  @Test func `connections that are reset under a job cost it nothing, however often`() async throws {
    let reset = [[down(1)], [hello(1)]]
    try await run([[submission], [hello(1)]] + reset + reset + reset + reset)
    #expect(await crashes == [0])
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
