import LedgerMemory
import Pipeline
import PipelineTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct MemoryLedgerTests {
  @Test(arguments: LedgerSuite.rules)
  func `the ledger in memory keeps the rules of the port`(rule: PortRule<any Ledger>) async throws {
    try await rule.prove(on: MemoryLedger())
  }

  @Test func `a job whose row is confirmed is forgotten`() async throws {
    let ledger = MemoryLedger()
    let job = Job(batch: BatchID(UUIDv7(high: 0x7000, low: 1 << 63)), ordinal: 0, kind: .echo, input: nil)
    let end = Settlement(job: job.id, lease: nil, end: .done, failure: nil, row: [])
    let now = Moment(unixMilliseconds: 0)
    let first = await ledger.commit(
      [.submit([job]), .settle(end), .confirmRows(job.batch, upTo: 1), .submit([job]), .settle(end)], at: now)
    #expect(first == [.inserted(1), .applied, .applied, .inserted(1), .applied])
    #expect(await ledger.rows(of: job.batch, after: 0, limit: 10, bytes: .max).map(\.number) == [2])
  }
}
