import Pipeline
import SQLite
import Testing

@testable import LedgerSQLite

/// Files of older versions.
@Suite(.timeLimit(.minutes(10)))
struct MigrationTests {
  @Test func `a file of the first schema opens, and its batches have no terms yet`() async throws {
    let file = try LedgerFileFixture()
    try writeFirstSchema(file)
    let ledger = try await file.open()
    var batch = try #require(try await ledger.summary(batches: 1).batches.first)
    #expect(batch.id == file.batch)
    #expect(batch.progress == BatchProgress(total: 7, rows: 0, settled: 0))
    #expect(batch.terms == BatchTerms())
    #expect(batch.firstSubmittedAt == nil)
    #expect(try await ledger.shares() == KnownShares())
    let terms = BatchTerms(name: "monday")
    #expect(
      try await ledger.commit(
        [.terms(file.batch, terms), .pause(.batch(file.batch), Pause(by: "ann@box"))], at: file.now)
        == [.terms(terms, isPaused: false), .applied])
    await ledger.close()
    let again = try await file.open()
    batch = try #require(try await again.summary(batches: 1).batches.first)
    #expect(batch.terms == terms)
    #expect(batch.progress.isPaused)
    await again.close()
  }

  @Test func `jobs of the first schema have a story without times`() async throws {
    let file = try LedgerFileFixture()
    try writeFirstSchema(file)
    let job = file.jobs(1)[0]
    let cause = Failure(.timeout, at: .body, "slow")
    try Connection(path: file.path).execute(
      """
      INSERT INTO job (id, batch, ordinal, state, attempts, run_at, record, host)
      VALUES (X'\(hex(job.id.uuid))', 1, 0, 4, 1, 77, X'\(hex(JobRecord.encode(job)))', 'a.test');
      INSERT INTO cause (job, attempt, failed_at, failure)
      VALUES (X'\(hex(job.id.uuid))', 1, 66, X'\(hex(FailureRecord.encode(cause)))');
      UPDATE batch SET submitted = 1
      """)
    let ledger = try await file.open()
    let story = try #require(try await ledger.story(of: job.id))
    #expect(story.history.job == job)
    #expect(story.history.submittedAt == nil)
    let known = PastAttempt(attempt: 1, endedAt: Moment(unixMilliseconds: 66), failure: cause)
    #expect(story.attempts == [known])
    var search = JobSearch()
    search.phase = .scheduled
    #expect(try await ledger.jobs(search).jobs.map(\.job.id) == [job.id])
    search.host = "a.test"
    #expect(try await ledger.jobs(search).jobs.isEmpty)
    #expect(try await ledger.oldestJobs() == OldestJobs())
    await ledger.close()
  }

  private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private func writeFirstSchema(_ file: LedgerFileFixture) throws {
    let connection = try Connection(path: file.path)
    try connection.execute(Schema.migrations[0])
    try connection.execute(
      """
      PRAGMA application_id = \(Schema.applicationID); PRAGMA user_version = 1;
      INSERT INTO batch (id, total, changed_at) VALUES (X'\(hex(file.batch.uuid))', 7, 1)
      """)
  }

  private func hex(_ id: UUIDv7) -> String { id.description.filter { $0 != "-" } }
}
