import Pipeline
import SQLite

/// Deletes batches that are no longer needed.
extension LedgerStore {
  /// - Returns: How many jobs were deleted; fewer than `limit` when nothing is left to forget.
  func forget(_ rule: ForgettingRule, before moment: Moment, limit: Int) throws(SQLiteError) -> Int {
    var dead = 0
    let forgotten = try transaction { () throws(SQLiteError) in
      var forgotten = 0
      while forgotten < limit, let batch = try oldest(rule, before: moment) {
        let ends = try forget(jobsOf: batch, atMost: limit - forgotten)
        forgotten += ends.count
        dead += ends.count { $0 == .dead }
        try shrink(batch, by: ends, isEmpty: forgotten < limit)
      }
      return forgotten
    }
    forgot(dead: dead)
    return forgotten
  }

  private func oldest(_ rule: ForgettingRule, before moment: Moment) throws(SQLiteError) -> BatchRow? {
    let unconfirmedToo = Value.integer(rule == .confirmed ? 0 : 1)
    let onlyPassing = Value.integer(rule == .passing ? 1 : 0)
    let row = try statements.forgetting.batch.first(
      .integer(moment.unixMilliseconds), unconfirmedToo, onlyPassing
    ) { BatchRow($0) }
    guard let row else { return nil }
    guard let batch = row else { throw .damaged("a batch cannot be read") }
    return batch
  }

  /// - Returns: How each of them had ended.
  private func forget(jobsOf batch: BatchRow, atMost limit: Int) throws(SQLiteError) -> [StoredState] {
    let jobs = try statements.forgetting.jobs.all(
      .integer(batch.place(of: 1)), .integer(batch.place(of: BatchRow.mostRows)), .integer(Int64(limit))
    ) { $0.blob(at: 0) }
    return try jobs.map { (id) throws(SQLiteError) in
      let job = Value.blob(id ?? [])
      try statements.results.deleteCauses.run(job)
      try statements.results.delete.run(job)
      let state = try statements.forgetting.job.first(job) { $0.integer(at: 0) } ?? nil
      guard let end = state.flatMap(StoredState.init(rawValue:)) else {
        throw .damaged("a row belongs to no job")
      }
      return end
    }
  }

  private func shrink(_ batch: BatchRow, by ends: [StoredState], isEmpty: Bool) throws(SQLiteError) {
    var batch = batch
    batch.forget(jobs: ends)
    guard isEmpty || batch.settled == 0 else { return try write(batch, changedAt: nil) }
    try statements.forgetting.run.run(.integer(batch.serial))
    try statements.forgetting.emptyBatch.run(.integer(batch.serial))
  }
}
