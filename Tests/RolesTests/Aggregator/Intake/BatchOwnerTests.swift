import LedgerMemory
import Pipeline
import PipelineTesting
import Testing

@testable import Roles

/// A batch belongs to the producer that fills it, until it is closed or that producer is gone.
@Suite(.timeLimit(.minutes(10)))
struct BatchOwnerTests {
  private let fixture = AggregatorFixture {
    var settings = AggregatorSettings()
    settings.abandonsBatchesMilliseconds = 600_000
    return settings
  }
  private let other = Address("inproc://other")

  private var progress: BatchProgress? {
    get async { await fixture.ledger.progress(of: fixture.batch) }
  }

  @Test func `a batch whose producer is gone says so, once an aggregator can know`() async {
    let fixture = AggregatorFixture()
    func question() -> [Message] { [fixture.ask(ProgressQuestion(of: fixture.batch))] }
    func pause(_ seconds: Int) -> [[Message]] { Array(repeating: [], count: seconds) }
    await fixture.run(
      [[fixture.submission(0..<3)]] + pause(20) + [question()] + pause(60)
        + [[fixture.submission(3..<4, sequence: 1)], question()] + pause(10)
        + [question(), [fixture.submission(4..<4, sequence: 2, total: 4)], question()])
    let known = fixture.tells.compactMap { try? $0.reply(as: ProgressQuestion.Reply.self)?.hasNoProducer }
    #expect(known == [false, false, true, false])
  }

  @Test func `another list under the same name changes nothing`() async {
    await fixture.run([
      [fixture.submission(0..<3, total: 3)],
      [
        fixture.submission(0..<3, host: "b.test", from: other),
        fixture.submission(3..<9, sequence: 1, host: "b.test", from: other),
        fixture.submission(9..<9, sequence: 2, total: 9, from: other),
      ], [fixture.submission(9..<12, sequence: 3, total: 12, host: "b.test", from: other)],
    ])
    #expect(await progress == BatchProgress(total: 3, rows: 0, settled: 0))
    #expect(await fixture.ledger.openJobs().count == 3)
    #expect(fixture.receipts(to: other).map(\.sequence) == [0, 1, 2, 3])
    #expect(fixture.receipts(to: other).allSatisfy { $0.inserted == 0 })
    #expect(
      fixture.receipts(to: other).map(\.differing)
        == Array(repeating: DifferingJobs(count: 3, first: 0), count: 4))
  }

  @Test func `a link that is none does not end the job that is in its place`() async {
    await fixture.run([
      [fixture.submission(0..<3, total: 3)], [fixture.submission(0..<3, links: "ftp", from: other)],
    ])
    #expect(await progress == BatchProgress(total: 3, rows: 0, settled: 0))
  }

  @Test func `a shorter list does not close the batch, and says why`() async {
    let gone = Delivery.lane(LaneNotice(address: fixture.producer, isUp: false))
    await fixture.run(deliveries: [
      [.envelope(Envelope.said(fixture.submission(0..<3)))], [gone],
      [.envelope(Envelope.said(fixture.submission(0..<1, total: 1, from: other)))],
    ])
    #expect(await progress?.total == nil)
    #expect(fixture.receipts(to: other).map { $0.refusal?.kind } == [.invalidInput])
  }

  @Test func `jobs of another batch are refused`() async throws {
    let foreign = Job(
      batch: BatchID(UUIDv7(high: 9, low: 9)), ordinal: 0, kind: .unfurl, input: "http://a.test/")
    var moved = Job(batch: fixture.batch, ordinal: 7, kind: .unfurl, input: "http://a.test/")
    moved.id = foreign.id
    for job in [foreign, moved] {
      let submit = Submit(batch: fixture.batch, sequence: 0, replyTo: fixture.producer, jobs: [job])
      await fixture.run([[.submit(submit)]])
    }
    #expect(fixture.receipts().map { $0.refusal?.kind } == [.invalidInput, .invalidInput])
    #expect(await fixture.ledger.openJobs().isEmpty)
  }

  @Test func `nobody adds to a batch whose producer lives`() async {
    let alive = fixture.submission(0..<0, sequence: 1)
    let more = fixture.submission(3..<9, from: other)
    await fixture.run([[fixture.submission(0..<3)]] + Array(repeating: [alive, more], count: 10))
    #expect(await fixture.ledger.openJobs().count == 3)
    #expect(fixture.receipts(to: other).map { $0.refusal?.kind } == [.invalidInput, .invalidInput])
  }

  @Test func `each of several that want a batch hears in time that it is taken`() async {
    let third = Address("inproc://third")
    let burst = [
      fixture.submission(0..<0, sequence: 1), fixture.submission(3..<9, from: other),
      fixture.submission(3..<9, from: third),
    ]
    await fixture.run([[fixture.submission(0..<3)]] + Array(repeating: burst, count: 10))
    for address in [other, third] {
      #expect(fixture.receipts(to: address).map { $0.refusal?.kind } == [.invalidInput, .invalidInput])
    }
  }

  @Test func `a batch whose producer fell silent is another's`() async {
    let more = fixture.submission(3..<9, from: other)
    await fixture.run([[fixture.submission(0..<3)]] + Array(repeating: [more], count: 7))
    #expect(await fixture.ledger.openJobs().count == 9)
    #expect(fixture.receipts(to: other).first?.inserted == 6)
  }

  @Test func `a batch whose producer is gone is closed after some time, also by another aggregator`() async {
    await fixture.run([[fixture.submission(0..<3)]] + Array(repeating: [], count: 300))
    #expect(await progress?.total == nil)
    await fixture.run(Array(repeating: [], count: 340))
    #expect(await progress == BatchProgress(total: 3, rows: 0, settled: 0, isAbandoned: true))
  }

  @Test func `a batch whose producer waits for input stays open`() async {
    let alive = fixture.submission(0..<0, sequence: 1)
    let quiet = Array(repeating: [Message](), count: 3) + [[alive]]
    await fixture.run([[fixture.submission(0..<3)]] + Array(repeating: quiet, count: 200).flatMap(\.self))
    #expect(await progress?.total == nil)
  }

  @Test func `a cancel closes the batch of a producer that is gone`() async {
    await fixture.run(
      [[fixture.submission(0..<3)]] + Array(repeating: [], count: 6) + [[fixture.cancel()], []])
    let closed = BatchProgress(total: 3, rows: 3, settled: 3, cancelled: 3, isAbandoned: true)
    #expect(await progress == closed)
  }

  @Test func `a cancel leaves the batch of a producer that lives open`() async {
    await fixture.run([[fixture.submission(0..<3)], [fixture.cancel()], []])
    #expect(await progress == BatchProgress(total: nil, rows: 3, settled: 3, cancelled: 3))
  }
}
