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
    let bench = AggregatorBench()
    await bench.run([[bench.submission(0..<3)], [bench.cancel(within: 1_500)], []])
    #expect(bench.answers.isEmpty)
    #expect(await bench.ledger.progress(of: bench.batch) == BatchProgress(total: nil, rows: 0, settled: 0))
  }

  @Test func `a cancel is dropped that could not be committed in time, and the rest of its turn is not`()
    async
  {
    let faults = LedgerFaults()
    let bench = AggregatorBench(faults: faults)
    await bench.run([[bench.submission(0..<3)]])
    faults.until.withLock { $0 = bench.clock.now.advanced(byMilliseconds: 60_000) }
    let more = bench.submission(3..<5, sequence: 1)
    await bench.run([[bench.cancel(within: 5_000), more]] + Array(repeating: [], count: 80))
    #expect(bench.answers.isEmpty)
    #expect(await bench.ledger.progress(of: bench.batch) == BatchProgress(total: nil, rows: 0, settled: 0))
    #expect(await bench.ledger.openJobs(.all, after: nil, limit: 9).count == 5)
  }

  @Test func `a cancel whose commit seemed to fail is carried out once the ledger says that it did not`()
    async
  {
    let faults = LedgerFaults(areFalse: true)
    let bench = AggregatorBench(faults: faults)
    await bench.run([[bench.submission(0..<3)]])
    faults.until.withLock { $0 = bench.clock.now.advanced(byMilliseconds: 10_000) }
    await bench.run([[bench.cancel(within: 5_000)]] + Array(repeating: [], count: 20))
    #expect(await bench.ledger.progress(of: bench.batch)?.cancelled == 3)
  }

  @Test func `a requeue is dropped that could not be committed in time`() async {
    let faults = LedgerFaults()
    let bench = AggregatorBench(faults: faults)
    await bench.run([[bench.submission(0..<3, links: "ftp")]])
    faults.until.withLock { $0 = bench.clock.now.advanced(byMilliseconds: 60_000) }
    await bench.run([[bench.requeue(within: 5_000)]] + Array(repeating: [], count: 80))
    #expect(bench.answers.isEmpty)
    #expect(await bench.ledger.progress(of: bench.batch)?.failed == 3)
  }

  @Test func `whoever repeats a wish is told what came of it the first time`() async {
    let bench = AggregatorBench()
    let cancel = bench.cancel(within: 60_000)
    await bench.run([[bench.submission(0..<3)], [cancel, cancel], [cancel], [cancel]])
    let answer = Answer.cancelled(bench.batch, jobs: 3)
    #expect(bench.answers == [answer, answer, answer])
  }

  @Test func `how a batch is, is answered while nothing can be committed`() async {
    let faults = LedgerFaults()
    let bench = AggregatorBench(faults: faults)
    await bench.run([[bench.submission(0..<3)]])
    faults.until.withLock { $0 = bench.clock.now.advanced(byMilliseconds: 60_000) }
    let question = Message.query(Query(replyTo: bench.client, .progress(of: bench.batch)))
    await bench.run([[bench.submission(3..<6, sequence: 1), question]])
    #expect(bench.answers.count == 1)
  }
}
