package import Pipeline
import SQLite

/// Runs that may be interrupted and started again under the same name.
extension SQLiteLedger {
  /// The batch of a run: the one it had before, else `new` from now on.
  ///
  /// Jobs that an earlier attempt at the run left open get `deadline`; the time between does not count against them.
  package func batch(
    ofRun name: String, orNew new: BatchID, deadline: Moment?
  ) async throws(LedgerError) -> BatchID {
    try await use("write") { (store) throws(SQLiteError) in
      try store.transaction { () throws(SQLiteError) in
        try store.statements[.runs.insert].run(.text(name), new.uuid.stored)
        guard let bytes = try store.statements[.runs.byName].first(.text(name), read: { $0.blob(at: 0) }),
          let batch = UUIDv7(stored: bytes).map(BatchID.init)
        else { throw .damaged("the batch of a run cannot be read") }
        try store.statements[.runs.setDeadlines].run(
          JobID(batch: batch, ordinal: 0).uuid.stored, JobID(batch: batch, ordinal: .max).uuid.stored,
          .integer(deadline?.unixMilliseconds), batch.uuid.stored)
        return batch
      }
    }
  }

  /// Jobs of a batch, over or not, as they were submitted, from an ordinal on and in its order.
  package func jobs(of batch: BatchID, from ordinal: UInt64, limit: Int) async throws(LedgerError) -> [Job] {
    try await use("read") { (store) throws(SQLiteError) in
      let stored = try store.statements[.jobs.inRange].all(
        JobID(batch: batch, ordinal: ordinal).uuid.stored, JobID(batch: batch, ordinal: .max).uuid.stored,
        .integer(Int64(max(0, limit)))
      ) { StoredJob($0) }
      return try stored.sound("a job cannot be read").map { (job) throws(SQLiteError) in try job.known().job
      }
    }
  }
}
