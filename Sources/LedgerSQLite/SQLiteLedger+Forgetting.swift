public import Pipeline
import SQLite

extension SQLiteLedger {
  private static let chunk: Int64 = 1_000

  /// Deletes what was finished and confirmed, whole batches that have not changed since `moment`, a thousand jobs
  /// in a transaction, so that commits get their turn between.
  ///
  /// A run whose batch is forgotten starts from the beginning.
  ///
  /// - Returns: How many jobs were deleted.
  public func forget(olderThan moment: Moment) async throws(LedgerError) -> Int {
    var forgotten = 0
    while let count = try await forgetChunk(olderThan: moment) { forgotten += count }
    return forgotten
  }

  /// - Returns: nil when there is nothing left to forget.
  private func forgetChunk(olderThan moment: Moment) async throws(LedgerError) -> Int? {
    try await use("write") { (store) throws(SQLiteError) in
      try store.transaction { () throws(SQLiteError) in
        let statements = store.statements.forgetting
        guard
          let batch = try statements.batch.first(.integer(moment.unixMilliseconds), read: { BatchRow($0) })
            ?? nil
        else { return nil }
        let jobs = try statements.jobs.all(
          .integer(batch.place(of: 1)), .integer(batch.place(of: BatchRow.mostRows)), .integer(Self.chunk)
        ) { $0.blob(at: 0) }
        for job in jobs.compactMap(\.self) {
          try statements.causesOfJob.run(.blob(job))
          try statements.result.run(.blob(job))
          try statements.job.run(.blob(job))
        }
        if jobs.isEmpty {
          try statements.run.run(.integer(batch.serial))
          try statements.emptyBatch.run(.integer(batch.serial))
        }
        return jobs.count
      }
    }
  }
}
