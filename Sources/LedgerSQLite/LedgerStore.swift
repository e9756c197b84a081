import Pipeline
import SQLite

/// The ledger's tables. It belongs to one thread.
final class LedgerStore {
  // In this order, because a connection is closed after its statements.
  let statements: Statements
  let connection: Connection
  private var wasFull = false

  init(_ connection: consuming Connection) throws(SQLiteError) {
    let statements = try Statements(connection)
    self.statements = statements
    self.connection = connection
  }

  /// All of `body` or nothing of it, on the disk when this returns.
  func transaction<Answer>(_ body: () throws(SQLiteError) -> Answer) throws(SQLiteError) -> Answer {
    try statements.transaction.begin.run()
    do {
      let answer = try body()
      try statements.transaction.commit.run()
      return answer
    } catch {
      // Some errors roll back by themselves.
      if connection.isInTransaction { _ = try? statements.transaction.rollback.run() }
      throw error
    }
  }

  func commit(_ events: [LedgerEvent], at now: Moment) throws(SQLiteError) -> [LedgerAnswer] {
    guard !events.isEmpty else { return [] }
    if wasFull { shrinkLog() }
    do {
      return try transaction { () throws(SQLiteError) in
        let commit = EventCommit(store: self, now: now)
        var answers: [LedgerAnswer] = []
        answers.reserveCapacity(events.count)
        for event in events { answers.append(try commit.apply(event)) }
        try commit.finish()
        return answers
      }
    } catch {
      wasFull = error.cause == .full
      throw error
    }
  }

  /// The log holds most pages many times over; where room is short, that matters. It stays as it is when there is
  /// not even room for this.
  private func shrinkLog() {
    wasFull = false
    try? connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  func openJobs(after id: JobID?, limit: Int) throws(SQLiteError) -> [OpenJob] {
    let stored = try statements.jobs.open.all(
      id?.uuid.stored ?? .blob([]), .integer(Int64(max(0, limit)))
    ) { StoredJob($0) }
    return try stored.map { (job) throws(SQLiteError) in try job.open() }
  }

  func rows(of batch: BatchID, after number: UInt64, limit: Int) throws(SQLiteError) -> [NumberedRow] {
    guard let counters = try self.batch(batch), number < counters.rows else { return [] }
    let rows = try statements.results.read.all(
      .integer(counters.place(of: number)), .integer(counters.place(of: counters.rows)),
      .integer(Int64(max(0, limit)))
    ) { NumberedRow(stored: $0) }
    return try rows.map { (row) throws(SQLiteError) in
      guard let row else { throw .damaged("a row of batch \(batch) cannot be read") }
      return row
    }
  }

  func progress(of batch: BatchID) throws(SQLiteError) -> BatchProgress? {
    try self.batch(batch).map { BatchProgress(total: $0.total, rows: $0.rows) }
  }

  func lastToken() throws(SQLiteError) -> LeaseToken {
    guard let token = try statements.batches.lastToken.first(read: { $0.integer(at: 0) }) ?? nil else {
      throw .damaged("the last lease token is missing")
    }
    return LeaseToken(stored: token)
  }

  /// Why earlier attempts at a job failed, the oldest first.
  func causes(of job: JobID) throws(SQLiteError) -> [Failure] {
    try statements.results.causes.all(job.uuid.stored) { $0.blob(at: 0) }.map {
      (record) throws(SQLiteError) in
      guard let record, let failure = try? FailureRecord.decode(record) else {
        throw .damaged("why job \(job) failed cannot be read")
      }
      return failure
    }
  }

  func batch(_ id: BatchID) throws(SQLiteError) -> BatchRow? {
    guard let found = try statements.batches.byID.first(id.uuid.stored, read: { BatchRow($0) }) else {
      return nil
    }
    guard let found else { throw .damaged("batch \(id) cannot be read") }
    return found
  }
}

extension NumberedRow {
  fileprivate init?(stored row: borrowing Row) {
    guard let place = row.integer(at: 0), let ordinal = row.integer(at: 1), let json = row.blob(at: 3) else {
      return nil
    }
    var failure: FailureKind?
    if let name = row.text(at: 2) {
      guard let kind = FailureKind(rawValue: name) else { return nil }
      failure = kind
    }
    self.init(
      number: UInt64(bitPattern: place & 0xFFFF_FFFF), ordinal: UInt64(bitPattern: ordinal), failure: failure,
      json: json)
  }
}
