import Pipeline
import SQLite

/// How attempts end, for good or for now.
extension EventCommit {
  /// Causes of failed attempts that a job keeps.
  private static let causesKept: Int64 = 10

  func settle(_ settlement: Settlement) throws(SQLiteError) -> LedgerAnswer {
    let id = settlement.job.uuid.stored
    let end = StoredState(settlement.end)
    guard let before = try state(of: id) else { return .stale }
    let ended: (batch: Int64?, ordinal: Int64?)? =
      if let lease = settlement.lease {
        try store.statements.jobs.endLeased.first(
          id, .integer(end.rawValue), .integer(lease.token.stored), .integer(Int64(lease.attempt))
        ) { ($0.integer(at: 0), $0.integer(at: 1)) }
      } else {
        try store.statements.jobs.endAny.first(id, .integer(end.rawValue)) {
          ($0.integer(at: 0), $0.integer(at: 1))
        }
      }
    guard let ended else { return .stale }
    guard let serial = ended.batch, let ordinal = ended.ordinal else {
      throw .damaged("job \(settlement.job) has no batch")
    }
    let place = try change(serial) { (batch) throws(SQLiteError) in
      batch.place(of: try batch.appendRow(of: settlement.end))
    }
    try store.statements.results.insert.run(
      .integer(place), id, .integer(ordinal), settlement.failure.map { .text($0.rawValue) } ?? .null,
      .blob(settlement.row))
    return move(1, from: before, to: end)
  }

  func retry(
    _ id: JobID, _ token: LeaseToken, at moment: Moment, _ cause: Failure
  ) throws(SQLiteError) -> LedgerAnswer {
    let changed = try store.statements.jobs.retry.run(
      id.uuid.stored, .integer(token.stored), .integer(moment.unixMilliseconds))
    guard changed > 0 else { return .stale }
    try store.statements.results.insertCause.run(
      id.uuid.stored, .integer(now.unixMilliseconds), .blob(FailureRecord.encode(cause)))
    try store.statements.results.trimCauses.run(id.uuid.stored, .integer(Self.causesKept))
    return move(changed, from: .leased, to: .scheduled)
  }

  /// Its causes go too: attempts are counted from the start again.
  func requeue(_ job: JobID) throws(SQLiteError) -> LedgerAnswer {
    let id = job.uuid.stored
    guard let batch = try store.statements.jobs.requeue.first(id, read: { $0.integer(at: 0) }) else {
      return .stale
    }
    guard let batch else { throw .damaged("job \(job) has no batch") }
    try store.statements.results.delete.run(id)
    try store.statements.results.deleteCauses.run(id)
    try change(batch) { $0.requeue() }
    return move(1, from: .dead, to: .ready)
  }

  /// nil when nobody knows the job.
  private func state(of job: Value) throws(SQLiteError) -> StoredState? {
    guard let number = try store.statements.jobs.state.first(job, read: { $0.integer(at: 0) }) else {
      return nil
    }
    guard let state = number.flatMap(StoredState.init(rawValue:)) else {
      throw .damaged("the state of a job cannot be read")
    }
    return state
  }
}
