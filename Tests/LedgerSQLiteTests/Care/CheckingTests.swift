import Pipeline
import PipelineTesting
import SQLite
import Testing

@testable import LedgerSQLite

/// What a check finds.
@Suite(.timeLimit(.minutes(10)))
struct CheckingTests {
  @Test(
    arguments: [
      ("DELETE FROM result WHERE ordinal = 1", "1 jobs are over and have no row"),
      ("DELETE FROM job WHERE ordinal = 2", "1 rows belong to no job that is over"),
      ("UPDATE job SET state = 2 WHERE ordinal = 1", "and there are 2"),
      ("UPDATE batch SET settled = 7", "it counts 7 jobs that are over, and there are 3"),
      ("UPDATE batch SET failed = 1", "it counts 1 failed jobs, and there are 0"),
      ("UPDATE batch SET rows = 2", "it counts 2 rows, and there are 3"),
      ("DELETE FROM batch", "3 jobs belong to no batch"),
    ])
  func `what does not agree is named`(change: String, problem: String) async throws {
    let file = try LedgerFileFixture()
    let ledger = try await file.open()
    let jobs = file.jobs(3)
    _ = try await ledger.commit([.submit(jobs)] + jobs.map { .settle(file.end(of: $0)) }, at: file.now)
    #expect(try await ledger.check() == [])
    try await ledger.use("write") { store in try store.connection.execute(change) }
    let found = try await ledger.check()
    #expect(found.contains { $0.contains(problem) }, "\(found)")
  }

  @Test func `a page that was overwritten is found`() async throws {
    let file = try LedgerFileFixture()
    let ledger = try await file.open()
    let jobs = file.jobs(2_000)
    _ = try await ledger.commit([.submit(jobs)] + jobs.map { .settle(file.end(of: $0)) }, at: file.now)
    await ledger.close()
    var bytes = try read(file.path)
    for place in bytes.count - 8_000..<bytes.count - 4_000 { bytes[place] = 0xAA }
    try write(bytes, to: file.path)
    let again = try await file.open()
    do throws(LedgerError) {
      #expect(try await again.check() != [])
    } catch {
      #expect(error.kind == .corrupt)
    }
  }
}
