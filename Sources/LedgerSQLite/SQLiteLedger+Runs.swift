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
        try store.statements[.upkeep.insertRun].run(.text(name), new.uuid.stored)
        guard
          let bytes = try store.statements[.upkeep.runByName].first(.text(name), read: { $0.blob(at: 0) }),
          let batch = UUIDv7(stored: bytes).map(BatchID.init)
        else { throw .damaged("the batch of a run cannot be read") }
        try store.statements[.upkeep.setDeadlines].run(
          JobID(batch: batch, ordinal: 0).uuid.stored, JobID(batch: batch, ordinal: .max).uuid.stored,
          .moment(deadline), batch.uuid.stored)
        return batch
      }
    }
  }

  /// Jobs of a batch, over or not, as they were submitted, from an ordinal on and in its order.
  package func jobs(of batch: BatchID, from ordinal: UInt64, limit: Int) async throws(LedgerError) -> [Job] {
    try await use("read") { (store) throws(SQLiteError) in
      let (first, last) = (JobID(batch: batch, ordinal: ordinal), JobID(batch: batch, ordinal: .max))
      let limit = Value.integer(Int64(max(0, limit)))
      return try store.jobs(by: SQL.jobs.inRange, [first.uuid.stored, last.uuid.stored, limit]).map(\.job)
    }
  }
}
