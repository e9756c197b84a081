import Pipeline
import SQLite
import Testing

@testable import LedgerSQLite

/// A ledger of schema 2, as the program that had it made its files: written down here, so that no later change of the
/// program changes it.
@Suite(.timeLimit(.minutes(10)))
struct Version2Tests {
  private let file: LedgerFileBench

  init() throws {
    file = try LedgerFileBench()
  }

  private static let tables = """
    CREATE TABLE batch (
      serial INTEGER PRIMARY KEY,
      id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
      total INTEGER,
      rows INTEGER NOT NULL DEFAULT 0,
      confirmed INTEGER NOT NULL DEFAULT 0,
      changed_at INTEGER NOT NULL
    , submitted INTEGER NOT NULL DEFAULT 0, settled INTEGER NOT NULL DEFAULT 0,
      failed INTEGER NOT NULL DEFAULT 0) STRICT;
    CREATE TABLE job (
      id BLOB PRIMARY KEY CHECK (length(id) = 16),
      batch INTEGER NOT NULL,
      ordinal INTEGER NOT NULL,
      state INTEGER NOT NULL,
      attempts INTEGER NOT NULL DEFAULT 0,
      crashes INTEGER NOT NULL DEFAULT 0,
      token INTEGER,
      worker BLOB,
      run_at INTEGER,
      deadline INTEGER,
      record BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX job_open ON job (state, id) WHERE state < 5;
    CREATE INDEX job_due ON job (run_at, id) WHERE run_at IS NOT NULL;
    CREATE INDEX job_deadline ON job (deadline, id) WHERE deadline IS NOT NULL;
    CREATE INDEX job_dead ON job (id) WHERE state = 6;
    CREATE TABLE cause (
      job BLOB NOT NULL,
      attempt INTEGER NOT NULL,
      failed_at INTEGER NOT NULL,
      failure BLOB NOT NULL,
      PRIMARY KEY (job, attempt)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE result (
      place INTEGER PRIMARY KEY,
      job BLOB NOT NULL UNIQUE,
      ordinal INTEGER NOT NULL,
      failure TEXT,
      json BLOB NOT NULL
    ) STRICT;
    CREATE TABLE run (
      name TEXT PRIMARY KEY,
      batch BLOB NOT NULL UNIQUE
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE worker (
      id BLOB PRIMARY KEY CHECK (length(id) = 16),
      seen_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE lease (last_token INTEGER NOT NULL) STRICT;
    INSERT INTO lease VALUES (41);
    PRAGMA application_id = 1212963140;
    PRAGMA user_version = 2;
    """

  /// Jobs that are ready, leased, done and dead, the last two with rows; a cause, a worker, and a run.
  private func makeFile() throws {
    let connection = try Connection(path: file.path)
    try connection.execute(Self.tables)
    let batch = file.batch.uuid.stored
    try connection.prepare("INSERT INTO batch VALUES (1, ?1, 4, 2, 1, 5, 4, 2, 1)").run(batch)
    let insert = try connection.prepare(
      "INSERT INTO job VALUES (?1, 1, ?2, ?3, ?4, 0, ?5, ?6, NULL, NULL, ?7)")
    for (job, state) in zip(file.jobs(4), [2, 3, 5, 6] as [Int64]) {
      let isLeased = state == 3
      try insert.run(
        job.id.uuid.stored, .integer(Int64(job.ordinal)), .integer(state), .integer(state == 2 ? 0 : 1),
        isLeased ? .integer(41) : .null, isLeased ? file.worker.uuid.stored : .null,
        .blob(JobRecord.encode(job)))
    }
    let rows = try connection.prepare("INSERT INTO result VALUES (?1, ?2, ?3, ?4, ?5)")
    for (place, job) in zip([1, 2] as [Int64], file.jobs(2, from: 2)) {
      try rows.run(
        .integer(1 << 32 | place), job.id.uuid.stored, .integer(Int64(job.ordinal)),
        place == 1 ? .null : .text("dns"), .blob(Array("{\"row\":\(place)}".utf8)))
    }
    let cause = Failure(.dns, at: .dns, "no such name")
    try connection.prepare("INSERT INTO cause VALUES (?1, 1, 5, ?2)")
      .run(file.jobs(1, from: 3)[0].id.uuid.stored, .blob(FailureRecord.encode(cause)))
    try connection.prepare("INSERT INTO worker VALUES (?1, 7)").run(file.worker.uuid.stored)
    try connection.prepare("INSERT INTO run VALUES ('title', ?1)").run(batch)
  }

  @Test func `is brought up with all that it holds, and can keep answers`() async throws {
    try makeFile()
    let before = try contents()
    #expect(before.count == 11)
    let ledger = try await file.open()
    let open = try await ledger.openJobs(.all, after: nil, limit: 9)
    #expect(open.map(\.job) == file.jobs(2))
    #expect(open.map(\.life.state) == [.ready, .leased(LeaseToken(41))])
    #expect(open.map(\.holder) == [nil, file.worker])
    #expect(try await ledger.deadJobs(of: nil, after: nil, limit: 9) == [file.jobs(1, from: 3)[0].id])
    #expect(
      try await ledger.progress(of: file.batch) == BatchProgress(total: 4, rows: 2, settled: 2, failed: 1))
    #expect(try await ledger.lastToken() == LeaseToken(41))
    #expect(
      try await ledger.batch(ofRun: "title", orNew: BatchID(file.worker.uuid), deadline: nil) == file.batch)
    #expect(try await ledger.resultCache.find(["a"], bytes: 1) == [nil])
    await ledger.close()
    #expect(try contents() == before)
  }

  @Test func `has then the tables of a new file`() async throws {
    try makeFile()
    await (try await file.open()).close()
    let new = try LedgerFileBench()
    await (try await new.open()).close()
    #expect(try shape(of: file.path) == shape(of: new.path))
    let connection = try Connection(path: file.path)
    #expect(try connection.integer("PRAGMA user_version") == Schema.version)
    #expect(
      try connection.integer("SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'") == 1)
  }

  /// Each row of each table, as text.
  private func contents() throws -> [String] {
    let connection = try Connection(path: file.path)
    let columns = [
      "batch": "serial, hex(id), total, rows, confirmed, submitted, settled, failed",
      "job":
        "hex(id), batch, ordinal, state, attempts, crashes, token, hex(worker), run_at, deadline, hex(record)",
      "cause": "hex(job), attempt, failed_at, hex(failure)", "run": "name, hex(batch)",
      "result": "place, hex(job), ordinal, failure, hex(json)", "worker": "hex(id), seen_at",
      "lease": "last_token",
    ]
    return try columns.keys.sorted().flatMap { table in
      try connection.prepare("SELECT json_array(\(columns[table] ?? "")) FROM \(table) ORDER BY 1")
        .all { "\(table) \($0.text(at: 0) ?? "")" }
    }
  }

  /// Tables and indexes with their columns; how the text that made them is laid out does not matter.
  private func shape(of path: String) throws -> [String] {
    let connection = try Connection(path: path)
    return try connection.prepare(
      """
      SELECT s.type || ' ' || s.name || ' ' || coalesce(i.name, '') || ' ' || coalesce(i.type, '') || ' '
        || coalesce(i.\"notnull\", '') || ' ' || coalesce(i.pk, '') || ' ' || coalesce(i.dflt_value, '')
      FROM sqlite_schema AS s LEFT JOIN pragma_table_xinfo(s.name) AS i ORDER BY 1
      """
    ).all { $0.text(at: 0) ?? "" }
  }
}
