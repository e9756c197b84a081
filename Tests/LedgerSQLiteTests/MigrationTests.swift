import Pipeline
import SQLite
import Testing

@testable import LedgerSQLite

/// Files of earlier versions are brought up, with what they hold.
@Suite(.timeLimit(.minutes(10)))
struct MigrationTests {
  private let file: LedgerFileBench

  init() throws {
    file = try LedgerFileBench()
  }

  @Test func `a file of version 1 is brought up with its jobs, rows and counts`() async throws {
    try makeVersion1()
    let ledger = try await file.open()
    let jobs = file.jobs(6)
    let open = try await ledger.openJobs(.all, after: nil, limit: 9)
    #expect(open.map(\.job.id) == jobs[..<3].map(\.id))
    #expect(open.map(\.life.state) == [.ready, .leased(LeaseToken(7)), .scheduled(file.now)])
    #expect(open.map(\.holder) == [nil, file.worker, nil])
    #expect(try await ledger.openJobs(.ready, after: nil, limit: 9).count == 1)
    #expect(try await ledger.openJobs(.leased, after: nil, limit: 9).count == 1)
    #expect(try await ledger.openJobs(.scheduled(dueBy: file.now), after: nil, limit: 9).count == 1)
    let overdue = try await ledger.openJobs(.overdue(at: file.now), after: nil, limit: 9)
    #expect(overdue.map(\.job.id) == jobs[..<3].map(\.id))
    #expect(try await ledger.deadJobs(of: nil, after: nil, limit: 9) == [jobs[4].id])

    let progress = BatchProgress(total: 6, rows: 3, settled: 3, failed: 1, cancelled: 1)
    #expect(try await ledger.progress(of: file.batch) == progress)
    #expect(try await ledger.summary(batches: 9).batches.map(\.progress) == [progress])
    var counts = JobCounts()
    (counts.ready, counts.leased, counts.scheduled, counts.dead) = (1, 1, 1, 1)
    #expect(try await ledger.summary(batches: 9).jobs == counts)
    #expect(try await ledger.commit([.requeue(jobs[4].id)], at: file.now) == [.applied])
    #expect(try await ledger.openJobs(.ready, after: nil, limit: 9).map(\.job.deadline) == [file.now, nil])
  }

  @Test func `it is brought up once, and not by half`() async throws {
    try makeVersion1()
    for _ in 0..<2 {
      let ledger = try await file.open()
      #expect(try await ledger.progress(of: file.batch)?.settled == 3)
      await ledger.close()
    }
    let connection = try Connection(path: file.path)
    #expect(try connection.integer("PRAGMA user_version") == Schema.version)
    #expect(
      try connection.integer("SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'") == 1)
  }

  /// Jobs that are ready, leased, scheduled, done, dead and cancelled, all with a deadline.
  private func makeVersion1() throws {
    let connection = try Connection(path: file.path)
    try connection.execute(Schema.migrations[0])
    try connection.execute("PRAGMA application_id = \(Schema.applicationID); PRAGMA user_version = 1")
    try connection.prepare("INSERT INTO batch VALUES (1, ?1, 6, 3, 1, 5)").run(file.batch.uuid.stored)
    let insert = try connection.prepare("INSERT INTO job VALUES (?1, 1, ?2, ?3, ?4, 0, ?5, ?6, ?7, ?8, ?9)")
    for (index, job) in file.jobs(6).enumerated() {
      let state = StoredState.ready.rawValue + Int64(index)
      try insert.run(
        job.id.uuid.stored, .integer(Int64(index)), .integer(state), .integer(index == 0 ? 0 : 1),
        index == 1 ? .integer(7) : .null, index == 1 ? file.worker.uuid.stored : .null,
        index == 2 ? .integer(file.now.unixMilliseconds) : .null, .integer(file.now.unixMilliseconds),
        .blob(JobRecord.encode(job)))
    }
    let rows = try connection.prepare("INSERT INTO result VALUES (?1, ?2, ?3, NULL, ?4)")
    for (number, job) in zip(1...3 as ClosedRange<Int64>, file.jobs(3, from: 3)) {
      let ordinal = Value.integer(Int64(job.ordinal))
      try rows.run(.integer(1 << 32 | number), job.id.uuid.stored, ordinal, .blob([0x7B, 0x7D]))
    }
  }
}
