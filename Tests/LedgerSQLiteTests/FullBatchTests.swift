import LedgerSQLite
import Pipeline
import PipelineTesting
import SQLite
import Testing

/// A batch whose rows have no numbers left: no use in trying again.
@Suite(.timeLimit(.minutes(10)))
struct FullBatchTests {
  private let file: LedgerFileFixture

  init() throws {
    file = try LedgerFileFixture()
  }

  @Test func `its next row is an error that does not pass, and nothing of the commit happens`() async throws {
    var ledger = try await file.open()
    let jobs = file.jobs(2)
    _ = try await ledger.commit([.submit(jobs)], at: file.now)
    await ledger.close()
    try Connection(path: file.path).execute("UPDATE batch SET rows = \(Job.mostInBatch - 1)")
    ledger = try await file.open()
    #expect(try await ledger.commit([.settle(file.end(of: jobs[0]))], at: file.now) == [.applied])
    let error = try await #require(throws: LedgerError.self) {
      try await ledger.commit([.settle(file.end(of: jobs[1]))], at: file.now)
    }
    #expect(error.kind == .tooLarge)
    #expect(!error.mayPass)
    #expect(error.message.hasSuffix("a batch has 4294967295 rows, and no number is left for another one"))
    #expect(try await ledger.openJobs().map(\.job.id) == [jobs[1].id])
    await ledger.close()
  }
}
