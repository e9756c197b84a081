import LedgerMemory
import Pipeline
import PipelineTesting
import Posix
import Testing

@testable import Roles

/// What nobody waits for any more is not done.
@Suite(.timeLimit(.minutes(10)))
struct LateWishTests {
  @Test func `a cancel that comes too late is dropped`() async {
    let fixture = AggregatorFixture()
    await fixture.run([[fixture.submission(0..<3)], [fixture.cancel(within: 1_500)], []])
    #expect(fixture.tells.isEmpty)
    #expect(
      await fixture.ledger.progress(of: fixture.batch) == BatchProgress(total: nil, rows: 0, settled: 0))
  }

  @Test func `a cancel is dropped that could not be committed in time, and the rest of its turn is not`()
    async
  {
    let faults = LedgerFaults()
    let fixture = AggregatorFixture(faults: faults)
    await fixture.run([[fixture.submission(0..<3)]])
    faults.until.withLock { $0 = fixture.clock.now.advanced(byMilliseconds: 60_000) }
    let more = fixture.submission(3..<5, sequence: 1)
    await fixture.run([[fixture.cancel(within: 5_000), more]] + Array(repeating: [], count: 80))
    #expect(fixture.tells.isEmpty)
    #expect(
      await fixture.ledger.progress(of: fixture.batch) == BatchProgress(total: nil, rows: 0, settled: 0))
    #expect(await fixture.ledger.openJobs().count == 5)
  }

  @Test func `a cancel whose commit seemed to fail is carried out once the ledger says that it did not`()
    async
  {
    let faults = LedgerFaults(areFalse: true)
    let fixture = AggregatorFixture(faults: faults)
    await fixture.run([[fixture.submission(0..<3)]])
    faults.until.withLock { $0 = fixture.clock.now.advanced(byMilliseconds: 10_000) }
    await fixture.run([[fixture.cancel(within: 5_000)]] + Array(repeating: [], count: 20))
    #expect(await fixture.ledger.progress(of: fixture.batch)?.cancelled == 3)
  }

  @Test func `a requeue is dropped that could not be committed in time`() async {
    let faults = LedgerFaults()
    let fixture = AggregatorFixture(faults: faults)
    await fixture.run([[fixture.submission(0..<3, links: "ftp")]])
    faults.until.withLock { $0 = fixture.clock.now.advanced(byMilliseconds: 60_000) }
    await fixture.run([[fixture.requeue(within: 5_000)]] + Array(repeating: [], count: 80))
    #expect(fixture.tells.isEmpty)
    #expect(await fixture.ledger.progress(of: fixture.batch)?.failed == 3)
  }

  @Test func `a cancel and a requeue are dropped when a read of their turn fails until it is too late`()
    async
  {
    let faults = LedgerFaults(areOfReads: true)
    let fixture = AggregatorFixture(faults: faults)
    let dead = fixture.submission(0..<3, links: "ftp")
    await fixture.run([[dead, fixture.submission(3..<5, sequence: 1)]])
    faults.until.withLock { $0 = fixture.clock.now.advanced(byMilliseconds: 60_000) }
    let wishes = [fixture.cancel(within: 5_000), fixture.requeue(within: 5_000)]
    await fixture.run([wishes] + Array(repeating: [], count: 80))
    #expect(fixture.tells.isEmpty)
    let progress = await fixture.ledger.progress(of: fixture.batch)
    #expect(progress?.failed == 3 && progress?.cancelled == 0)
    #expect(await fixture.ledger.openJobs().count == 2)
  }

  @Test func `what is committed is told while a reader's rows cannot be read`() async {
    let faults = LedgerFaults(areOfReads: true)
    let fixture = AggregatorFixture(faults: faults)
    faults.until.withLock { $0 = fixture.clock.now.advanced(byMilliseconds: 600_000) }
    let reader = Message.query(
      Query(replyTo: fixture.client, .copies(of: fixture.batch, after: 0, limit: 9)))
    await fixture.run([[reader, fixture.submission(0..<3, links: "ftp")], [], []])
    #expect(fixture.receipts().map(\.inserted) == [3])
  }

  @Test func `whoever repeats a wish is told what came of it the first time`() async {
    let fixture = AggregatorFixture()
    let cancel = fixture.cancel(within: 60_000)
    await fixture.run([[fixture.submission(0..<3)], [cancel, cancel], [cancel], [cancel]])
    #expect(fixture.replies() as [UInt64] == [3, 3, 3])
  }

  @Test func `how a batch is, is answered while nothing can be committed`() async {
    let faults = LedgerFaults()
    let fixture = AggregatorFixture(faults: faults)
    await fixture.run([[fixture.submission(0..<3)]])
    faults.until.withLock { $0 = fixture.clock.now.advanced(byMilliseconds: 60_000) }
    let question = fixture.ask(ProgressQuestion(of: fixture.batch))
    await fixture.run([[fixture.submission(3..<6, sequence: 1), question]])
    #expect(fixture.tells.count == 1)
  }
}
