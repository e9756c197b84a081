import Pipeline
import SQLite

/// The columns of a job, over or not.
struct StoredJob {
  static let columns = """
    id, host, state, submitted_at, granted_at, ended_at, attempts, crashes, token, run_at, worker, deadline, record
    """

  let id: JobID
  let state: JobState
  private let host: String
  private let submittedAt: Moment
  private let record: [UInt8]

  /// One that was looked at: nil when it cannot be read, and without its history when it is not looked for.
  static func looked(at row: borrowing Row, for search: JobSearch) -> (id: JobID, found: StoredJob?)? {
    guard let id = UUIDv7(stored: row.blob(at: 0)), let phase = JobPhase(stored: row.integer(at: 2)),
      let submittedAt = row.moment(at: 3)
    else { return nil }
    guard search.wants(phase: phase, host: row.text(at: 1) ?? "", submittedAt: submittedAt) else {
      return (JobID(id), nil)
    }
    return StoredJob(row).map { history in
      let isOfKind = search.kind.map { $0 == JobRecord.kind(in: history.record) } ?? true
      return (JobID(id), isOfKind ? history : nil)
    }
  }

  var recordBytes: Int { record.count }

  /// nil when the row makes no sense.
  init?(_ row: borrowing Row) {
    guard let id = UUIDv7(stored: row.blob(at: 0)),
      let life = JobPhase(stored: row.integer(at: 2))?.life(
        token: row.integer(at: 8), runAt: row.integer(at: 9)),
      let attempts = row.integer(at: 6).flatMap(UInt16.init(exactly:)),
      let crashes = row.integer(at: 7).flatMap(UInt8.init(exactly:)), let record = row.blob(at: 12),
      let submittedAt = row.moment(at: 3)
    else { return nil }
    var state = JobState(
      JobLife(state: life, attempts: attempts, crashes: crashes), deadline: row.moment(at: 11))
    (state.grantedAt, state.endedAt) = (row.moment(at: 4), row.moment(at: 5))
    state.worker = UUIDv7(stored: row.blob(at: 10)).map { WorkerID($0) }
    (self.id, self.state, self.record) = (JobID(id), state, record)
    (host, self.submittedAt) = (row.text(at: 1) ?? "", submittedAt)
  }

  var kind: JobKind? { JobRecord.kind(in: record) }

  func known() throws(SQLiteError) -> LedgerJob {
    guard let job = try? JobRecord.decode(record, of: id) else {
      throw .damaged("the record of job \(id) cannot be read")
    }
    return LedgerJob(job, state, host: host, submittedAt: submittedAt)
  }
}
