import LedgerMemory
import Pipeline
import PipelineTesting
import Testing

@testable import Roles

/// How long it holds that a batch was cancelled.
@Suite(.timeLimit(.minutes(10)))
struct InterruptionTests {
  private let fixture = AggregatorFixture()

  @Test func `a cause takes no more than a failure's message`() {
    let cancellation = BatchCancellation(cause: String(repeating: "x", count: 60_000), everything: true)
    #expect(cancellation.cause.utf8.count <= Failure.longestMessage)
    #expect(BatchCancellation(cause: "enough", everything: true).cause == "enough")
  }

  @Test func `a cancel that was answered holds after the aggregator died, also for jobs still to come`()
    async throws
  {
    await fixture.run([[fixture.submission(0..<3)], [fixture.cancel()]])
    #expect(fixture.replies() as [UInt64] == [3])
    #expect(await fixture.ledger.openJobs().count == 3)
    await fixture.run([[], [fixture.submission(3..<6, sequence: 1)], []])
    #expect(await fixture.ledger.openJobs().isEmpty)
    #expect(await fixture.ledger.progress(of: fixture.batch)?.cancelled == 6)
    let row = try #require(
      await fixture.ledger.rows(of: fixture.batch, after: 5, limit: 1, bytes: .max).first)
    #expect(try Row(row)["error.message"] == "cancelled: enough")
  }

  @Test func `what a producer cancels holds after the aggregator died`() async {
    let cancel = Message.cancel(Cancel(.waiting(fixture.batch), cause: "interrupted"))
    await fixture.run([[fixture.submission(0..<3)], [cancel]])
    await fixture.run([[fixture.submission(3..<6, sequence: 1)], []])
    #expect(await fixture.ledger.progress(of: fixture.batch)?.cancelled == 6)
  }

  @Test func `what comes of a cancelled batch much later is cancelled too`() async {
    await fixture.run([[fixture.submission(0..<1)], [fixture.cancel()]])
    await fixture.run(Array(repeating: [], count: 700) + [[fixture.submission(1..<2, sequence: 1)]])
    #expect(await fixture.ledger.openJobs().isEmpty)
  }

  @Test func `a batch that is requeued is wanted again, also after the aggregator died`() async {
    await fixture.run([[fixture.submission(0..<1)], [fixture.cancel()], []])
    await fixture.run([[fixture.requeue()]])
    await fixture.run([[fixture.submission(1..<2, sequence: 1)], []])
    #expect(await fixture.ledger.openJobs().map(\.job.ordinal) == [1])
  }

  @Test func `batches that nobody knows take no turns and little room when they are cancelled`()
    async throws
  {
    let transport = RecordingTransport()
    let queries = (0..<10_000).map { number in
      fixture.ask(CancelOrder(JobChoice(BatchID(UUIDv7(high: 7, low: UInt64(number)))), cause: "enough"))
    }
    let bursts = stride(from: 0, to: queries.count, by: 1_000).map { Array(queries[$0..<$0 + 1_000]) }
    let inbox = ScriptedInbox(Address("inproc://aggregator"), bursts)
    let aggregator = Aggregator(
      settings: .init(), inbox: inbox, ledger: fixture.ledger,
      ports: RolePorts(transport: transport, clock: fixture.clock, random: .seeded(1)))
    try? await aggregator.run()
    #expect(await aggregator.chores.sweeps.isEmpty)
    #expect(await fixture.ledger.batches(.cancelled).items.count <= 2_000)
    #expect(await aggregator.interruptions.count <= 2_000)
    #expect(transport.sent(to: fixture.client).count == 10_000)
  }

  @Test func `what is forgotten in the ledger is forgotten in memory`() {
    var interruptions = Interruptions()
    let other = BatchID(UUIDv7(high: 2, low: 2))
    let cancellation = BatchCancellation(cause: "enough", everything: true)
    for batch in [fixture.batch, other] { interruptions.began(batch, cancellation) }
    interruptions.learned([other: cancellation])
    #expect(interruptions[fixture.batch] == nil && interruptions[other] == "enough")
  }

  @Test func `cancelling many jobs is answered when it is committed, and done in pieces`() async {
    await fixture.run([[fixture.submission(0..<3_000)], [fixture.cancel()], []])
    #expect(fixture.replies() as [UInt64] == [3_000])
    #expect(await fixture.ledger.progress(of: fixture.batch)?.cancelled == 1_000)
    await fixture.run([[], [], [], []])
    #expect(await fixture.ledger.progress(of: fixture.batch)?.cancelled == 3_000)
  }

  @Test func `requeueing many jobs takes a turn for each page, and whoever waits hears of it`() async {
    await fixture.run([[fixture.submission(0..<2_500, links: "ftp")]])
    #expect(await fixture.ledger.progress(of: fixture.batch)?.failed == 2_500)
    let order = fixture.requeue()
    await fixture.run([[order], [order], []])
    #expect(fixture.tells.map(\.isFinal) == [false, true])
    #expect(fixture.replies() as [UInt64] == [2_500])
  }

  @Test func `pages without a failure that is looked for are passed over`() async {
    await fixture.run([[fixture.submission(0..<2_500, links: "ftp")]])
    await fixture.run([[fixture.requeue(of: [.dns])], [], []])
    #expect((fixture.replies() as [UInt64]).last == 0)
    await fixture.run([[fixture.requeue(of: [.dns, .unsupportedScheme])], [], []])
    #expect((fixture.replies() as [UInt64]).last == 2_500)
  }
}
