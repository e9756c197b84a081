import LedgerMemory
import Pipeline
import PipelineTesting
import Testing

@testable import Roles

/// How long it holds that a batch was cancelled.
@Suite(.timeLimit(.minutes(10)))
struct InterruptionTests {
  private let bench = AggregatorBench()

  @Test func `a cause takes no more than a failure's message`() {
    let cancellation = BatchCancellation(cause: String(repeating: "x", count: 60_000), everything: true)
    #expect(cancellation.cause.utf8.count <= Failure.longestMessage)
    #expect(BatchCancellation(cause: "enough", everything: true).cause == "enough")
  }

  @Test func `a cancel that was answered holds after the aggregator died, also for jobs still to come`()
    async throws
  {
    await bench.run([[bench.submission(0..<3)], [bench.cancel()]])
    #expect(bench.answers == [.cancelled(bench.batch, jobs: 3)])
    #expect(await bench.ledger.openJobs(.all, after: nil, limit: 9).count == 3)
    await bench.run([[], [bench.submission(3..<6, sequence: 1)], []])
    #expect(await bench.ledger.openJobs(.all, after: nil, limit: 9).isEmpty)
    #expect(await bench.ledger.progress(of: bench.batch)?.cancelled == 6)
    let row = try #require(await bench.ledger.rows(of: bench.batch, after: 5, limit: 1, bytes: .max).first)
    #expect(try Row(row)["error.message"] == "cancelled: enough")
  }

  @Test func `what a producer cancels holds after the aggregator died`() async {
    let cancel = Message.cancel(Cancel(.waiting(bench.batch), cause: "interrupted"))
    await bench.run([[bench.submission(0..<3)], [cancel]])
    await bench.run([[bench.submission(3..<6, sequence: 1)], []])
    #expect(await bench.ledger.progress(of: bench.batch)?.cancelled == 6)
  }

  @Test func `what comes of a cancelled batch much later is cancelled too`() async {
    await bench.run([[bench.submission(0..<1)], [bench.cancel()]])
    await bench.run(Array(repeating: [], count: 700) + [[bench.submission(1..<2, sequence: 1)]])
    #expect(await bench.ledger.openJobs(.all, after: nil, limit: 9).isEmpty)
  }

  @Test func `a batch that is requeued is wanted again, also after the aggregator died`() async {
    await bench.run([[bench.submission(0..<1)], [bench.cancel()], []])
    await bench.run([[bench.requeue()]])
    await bench.run([[bench.submission(1..<2, sequence: 1)], []])
    #expect(await bench.ledger.openJobs(.all, after: nil, limit: 9).map(\.job.ordinal) == [1])
  }

  @Test func `batches that nobody knows take no turns and little room when they are cancelled`()
    async throws
  {
    let transport = RecordingTransport()
    let queries = (0..<10_000).map { number in
      Message.query(
        Query(
          replyTo: bench.client, .cancel(BatchID(UUIDv7(high: 7, low: UInt64(number))), cause: "enough")))
    }
    let bursts = stride(from: 0, to: queries.count, by: 1_000).map { Array(queries[$0..<$0 + 1_000]) }
    let inbox = ScriptedInbox(Address("inproc://aggregator"), bursts)
    let aggregator = Aggregator(
      settings: .init(), inbox: inbox, ledger: bench.ledger,
      ports: RolePorts(transport: transport, clock: bench.clock, random: .seeded(1)))
    try? await aggregator.run()
    #expect(await aggregator.cancelling.isEmpty)
    #expect(await bench.ledger.cancellations().count <= 2_000)
    #expect(await aggregator.interruptions.count <= 2_000)
    #expect(transport.sent(to: bench.client).count == 10_000)
  }

  @Test func `what is forgotten in the ledger is forgotten in memory`() {
    var interruptions = Interruptions()
    let other = BatchID(UUIDv7(high: 2, low: 2))
    for batch in [bench.batch, other] {
      interruptions.began(batch, BatchCancellation(cause: "enough", everything: true))
    }
    interruptions.keep(only: [other])
    #expect(interruptions[bench.batch] == nil && interruptions[other] == "enough")
  }

  @Test func `cancelling many jobs is answered when it is committed, and done in pieces`() async {
    await bench.run([[bench.submission(0..<3_000)], [bench.cancel()], []])
    #expect(bench.answers == [.cancelled(bench.batch, jobs: 3_000)])
    #expect(await bench.ledger.progress(of: bench.batch)?.cancelled == 1_000)
    await bench.run([[], [], [], []])
    #expect(await bench.ledger.progress(of: bench.batch)?.cancelled == 3_000)
  }

  @Test func `requeueing many jobs takes a turn for each page, and whoever waits hears of it`() async {
    await bench.run([[bench.submission(0..<2_500, links: "ftp")]])
    #expect(await bench.ledger.progress(of: bench.batch)?.failed == 2_500)
    let query = bench.requeue()
    await bench.run([[query], [query], []])
    guard case .progress(bench.batch, _, _) = bench.answers.first else {
      Issue.record("\(bench.answers)")
      return
    }
    #expect(bench.answers.dropFirst() == [.requeued(bench.batch, jobs: 2_500)])
  }
}
