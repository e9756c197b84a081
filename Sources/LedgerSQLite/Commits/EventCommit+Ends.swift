import Pipeline
import SQLite

/// How attempts end, for good or for now.
extension EventCommit {
  func settle(_ settlement: Settlement) throws(SQLiteError) -> LedgerAnswer {
    let end = JobPhase(.over(settlement.end))
    guard let before = try isEndOfLease(settlement, end) ? .leased : endOther(settlement, end) else {
      return .stale
    }
    guard let serial = try knownSerial(of: settlement.batch) else {
      throw .damaged("job \(settlement.job) has no batch")
    }
    let place = try change(serial) { (batch) throws(SQLiteError) in
      batch.place(of: try batch.appendRow(of: settlement.end))
    }
    let head = RowHead(settlement.batch, settlement.ordinal)
    try store.statements[.results.insert].run(
      .integer(place), settlement.job.uuid.stored, .integer(Int64(bitPattern: settlement.ordinal)),
      settlement.failure.map { .text($0.rawValue) } ?? .null, .blob(head.stripped(settlement.row)))
    return move(1, from: before, to: end)
  }

  /// Nearly all jobs end under the lease that they have.
  private func isEndOfLease(_ settlement: Settlement, _ end: JobPhase) throws(SQLiteError) -> Bool {
    guard let lease = settlement.lease else { return false }
    return try store.statements[.jobs.ends.held].run(
      settlement.job.uuid.stored, end.stored, .integer(lease.token.stored),
      .integer(now.unixMilliseconds)) > 0
  }

  /// - Returns: The state it was in; nil when it could not end like this.
  private func endOther(_ settlement: Settlement, _ end: JobPhase) throws(SQLiteError) -> JobPhase? {
    let id = settlement.job.uuid.stored
    guard let before = try state(of: id) else { return nil }
    let now = Value.integer(now.unixMilliseconds)
    let changed =
      if let lease = settlement.lease {
        try store.statements[.jobs.ends.late].run(
          id, end.stored, .integer(Int64(lease.attempt)), now)
      } else {
        try store.statements[.jobs.ends.any].run(id, end.stored, now)
      }
    return changed > 0 ? before : nil
  }

  func retry(
    _ id: JobID, _ token: LeaseToken, at moment: Moment, _ cause: Failure
  ) throws(SQLiteError) -> LedgerAnswer {
    // Before the change, which takes the lease out of the job's row.
    let noted = try store.statements[.results.insertCause].run(
      id.uuid.stored, .integer(token.stored), .integer(now.unixMilliseconds),
      .blob(FailureRecord.encode(cause)), .integer(moment.unixMilliseconds))
    guard noted > 0 else { return .stale }
    try trimCauses(of: id)
    let changed = try store.statements[.jobs.ends.retry].run(
      id.uuid.stored, .integer(token.stored), .integer(moment.unixMilliseconds))
    return move(changed, from: .leased, to: .scheduled)
  }

  func crash(_ id: JobID, _ token: LeaseToken) throws(SQLiteError) -> LedgerAnswer {
    let (job, token) = (id.uuid.stored, Value.integer(token.stored))
    let noted = try store.statements[.jobs.deaths.note].run(job, token, .integer(now.unixMilliseconds))
    guard noted > 0 else { return .stale }
    try trimCauses(of: id)
    return move(try store.statements[.jobs.deaths.happened].run(job, token), from: .leased, to: .ready)
  }

  /// It lives: one death fewer.
  func absolve(_ id: JobID, from crashes: UInt8) throws(SQLiteError) -> LedgerAnswer {
    let job = id.uuid.stored
    guard try store.statements[.jobs.deaths.absolve].run(job, .integer(Int64(crashes))) > 0 else {
      return .stale
    }
    try store.statements[.jobs.deaths.forget].run(job)
    return .applied
  }

  private func trimCauses(of id: JobID) throws(SQLiteError) {
    try store.statements[.results.trimCauses].run(id.uuid.stored, .integer(Int64(PastAttempt.mostKept)))
  }

  /// Its causes go too: attempts are counted from the start again.
  func requeue(_ job: JobID) throws(SQLiteError) -> LedgerAnswer {
    let id = job.uuid.stored
    let record = try store.statements[.jobs.record].first(id) { $0.blob(at: 0) } ?? nil
    guard let known = record.flatMap({ try? JobRecord.decode($0, of: job) }) else { return .stale }
    let state = JobPhase(known.firstLife.state)
    guard
      let batch = try store.statements[.jobs.requeue].first(
        id, state.stored, read: { $0.integer(at: 0) })
    else { return .stale }
    guard let batch else { throw .damaged("job \(job) has no batch") }
    try store.statements[.results.delete].run(id)
    try store.statements[.results.deleteCauses].run(id)
    try change(batch) { $0.counters.requeue() }
    return move(1, from: .failed, to: state)
  }

  /// nil when the job is unknown.
  private func state(of job: Value) throws(SQLiteError) -> JobPhase? {
    guard let number = try store.statements[.jobs.state].first(job, read: { $0.integer(at: 0) }) else {
      return nil
    }
    guard let state = JobPhase(stored: number) else {
      throw .damaged("the state of a job cannot be read")
    }
    return state
  }
}
