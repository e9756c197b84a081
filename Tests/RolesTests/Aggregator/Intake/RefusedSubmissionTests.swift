import LedgerMemory
import Pipeline
import PipelineTesting
import Testing
import TransportInProcess

@testable import Roles

/// Submissions that no ledger could number the rows of.
@Suite(.timeLimit(.minutes(10)))
struct RefusedSubmissionTests {
  private let batch = BatchID(UUIDv7(high: 2, low: 1))
  private let producer = Address("inproc://producer")

  private func submit(ordinal: UInt64?, total: UInt64? = nil) -> Submit {
    let jobs = ordinal.map { [Job(batch: batch, ordinal: $0, kind: .unfurl, input: "http://a.test/")] }
    return Submit(batch: batch, sequence: 3, replyTo: producer, jobs: jobs ?? [], total: total)
  }

  static let rows: [(ordinal: UInt64?, total: UInt64?, taken: Bool)] = [
    (0, nil, true), (Job.mostInBatch - 1, Job.mostInBatch, true), (Job.mostInBatch, nil, false),
    (.max, nil, false), (nil, Job.mostInBatch + 1, false), (9, 10, true), (10, 10, false), (5_000, 10, false),
  ]

  @Test(arguments: rows)
  func `a batch has as many jobs as its rows have numbers`(
    row: (ordinal: UInt64?, total: UInt64?, taken: Bool)
  ) async throws {
    let (clock, ledger, transport) = (ManualClock(isStepping: true), MemoryLedger(), RecordingTransport())
    let inbox = ScriptedInbox(
      Address("inproc://aggregator"), [[.submit(submit(ordinal: row.ordinal, total: row.total))]])
    let ports = RolePorts(transport: transport, clock: clock, random: .seeded(1))
    let aggregator = Aggregator(settings: AggregatorSettings(), inbox: inbox, ledger: ledger, ports: ports)
    await #expect(throws: CancellationError.self) { try await aggregator.run() }
    let receipts = transport.sent(to: producer).compactMap { message in
      if case .receipt(let receipt) = message { receipt } else { nil }
    }
    #expect(receipts.map(\.sequence) == [3])
    #expect(receipts.map { $0.refusal?.kind } == [row.taken ? nil : .invalidInput])
    #expect(await (ledger.progress(of: batch) != nil) == row.taken)
  }

  @Test func `jobs that came with a total that is too small are done`() async {
    let (fixture, fetcher) = (AggregatorFixture(), Address("inproc://fetcher"))
    let hello = Hello(
      worker: WorkerID.numbered(1), role: .fetcher, locality: "here", address: fetcher,
      granted: 100,
      received: 0)
    await fixture.run([
      [.hello(hello)], [fixture.submission(5..<10)],
      [fixture.submission(0..<1, sequence: 1, total: 1, host: "b.test")], [], [],
    ])
    #expect(fixture.receipts().map { $0.refusal?.kind } == [nil, .invalidInput])
    let given = fixture.sent(to: fetcher).compactMap { message in
      if case .job(let order) = message { order.job.ordinal } else { nil }
    }
    #expect(given.contains(0))
  }

  @Test func `a producer whose submission is refused ends with the reason`() async throws {
    let clock = ManualClock()
    let ports = RolePorts(
      transport: InProcessTransport(clock: clock), clock: clock, random: Randomness { 0 })
    let aggregator = try await ports.transport.bind(Address("inproc://aggregator"))
    let inbox = try await ports.transport.bind(producer)
    let reason = Failure(.invalidInput, at: .input, "submit: too many")
    let run = Task {
      try await Producer(
        settings: ProducerSettings(batch: batch), inbox: inbox, aggregator: aggregator.address, ports: ports
      ).run(ListFeed(.title, ["http://a.test/"])) { _ in }
    }
    let answers = try await ports.transport.connect(to: producer)
    for other in [BatchID(UUIDv7(high: 9, low: 9)), batch] {
      var receipt = Receipt(batch: other, sequence: 0, inserted: 0)
      receipt.refusal = reason
      try await answers.send([Envelope.said(.receipt(receipt))])
    }
    await #expect(throws: SubmissionRefused(failure: reason)) { try await run.value }
  }
}
