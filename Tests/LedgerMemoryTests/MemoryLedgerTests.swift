import LedgerMemory
import Pipeline
import PipelineTesting
import Testing

@Suite(.timeLimit(.minutes(10)))
struct MemoryLedgerTests {
  @Test(arguments: LedgerSuite.rules)
  func `the ledger in memory keeps the rules of the port`(rule: PortRule<any Ledger>) async throws {
    try await rule.prove(on: MemoryLedger())
  }

  @Test func `a job whose row is confirmed is forgotten`() async throws {
    let ledger = MemoryLedger()
    let job = Job(batch: BatchID(UUIDv7(high: 0x7000, low: 1 << 63)), ordinal: 0, kind: .echo, input: nil)
    let end = Settlement(of: job, lease: nil, end: .done, failure: nil, row: [])
    let now = Moment(unixMilliseconds: 0)
    let first = try await ledger.commit(
      [.submit([job]), .settle(end), .confirmRows(job.batch, upTo: 1)], at: now)
    #expect(first == [.inserted(1), .applied, .applied])
    #expect(try await ledger.commit([.submit([job]), .settle(end)], at: now) == [.inserted(1), .applied])
    #expect(await ledger.rows(of: job.batch, after: 0, limit: 10, bytes: .max).map(\.number) == [2])
  }

  @Test(arguments: LedgerSuite.rulesOfJobs)
  func `it keeps them for all but the calls of runs when nobody asks for those`(
    rule: PortRule<any Ledger>
  ) async throws {
    try await rule.prove(on: MemoryLedger(retellsCalls: false))
  }

  @Test(arguments: [true, false])
  func `what is over of a run's calls is kept for whoever did not see it`(retells: Bool) async throws {
    let ledger = MemoryLedger(retellsCalls: retells)
    let batch = BatchID(UUIDv7(high: 0x7000, low: 1 << 63))
    let calls = BatchID.calls(of: JobID(batch: batch, ordinal: 0), life: 0)
    let jobs = [batch, calls].map { Job(batch: $0, ordinal: 0, kind: .decode, input: "http://a.test/") }
    let ends = jobs.map {
      LedgerEvent.settle(Settlement(of: $0, lease: nil, end: .cancelled, failure: .dns, row: [123]))
    }
    let answers = try await ledger.commit(
      [.submit(jobs)] + ends + ends, at: Moment(unixMilliseconds: 0))
    #expect(answers == [.inserted(2), .applied, .applied, .stale, .stale])
    #expect(await ledger.rows(of: batch, after: 0, limit: 9, bytes: .max).map(\.json) == [[123]])
    #expect(await ledger.rows(of: calls, after: 0, limit: 9, bytes: .max).count == (retells ? 1 : 0))
    #expect(await ledger.progress(of: calls)?.cancelled == 1)
    let closed = try await ledger.commit(
      [.close(calls, total: 1), .confirmRows(calls, upTo: 1)], at: Moment(unixMilliseconds: 0))
    #expect(closed == [.applied, .applied])
    _ = try await ledger.forget(
      .old(unreadBefore: nil), before: Moment(unixMilliseconds: 1), from: nil, limit: 9)
    #expect(await ledger.progress(of: calls) == nil)
    #expect(await ledger.progress(of: batch) != nil)
  }
}
