import Pipeline
import SQLite

/// Runs and their batches.
struct RunStatements {
  let insert: Statement
  let byName: Statement
  let setDeadlines: Statement

  init(_ connection: borrowing Connection) throws(SQLiteError) {
    insert = try connection.prepare(
      "INSERT INTO run (name, batch) VALUES (?1, ?2) ON CONFLICT (name) DO NOTHING")
    byName = try connection.prepare("SELECT batch FROM run WHERE name = ?1")
    setDeadlines = try connection.prepare(
      """
      UPDATE job SET deadline = ?3
      WHERE id IN (
        SELECT id FROM job INDEXED BY job_open
        WHERE state IN (1, 3, 4) AND \(Schema.isOpenElsewhere) AND id BETWEEN ?1 AND ?2
        UNION ALL
        SELECT id FROM job INDEXED BY job_ready
        WHERE state = 2 AND batch = (SELECT serial FROM batch WHERE id = ?4)
      )
      """)
  }
}

/// When it was in use, and what a clock that jumped has left in it.
struct ClockStatements {
  let seen: Statement
  let note: Statement
  let gaps: Statement
  let addGap: Statement
  let dropGaps: Statement
  let boundRetries: Statement
  let boundBatchPauses: Statement
  let boundPauses: Statement
  let dropFutureWorkers: Statement

  init(_ connection: borrowing Connection) throws(SQLiteError) {
    seen = try connection.prepare("SELECT seen_at FROM clock")
    note = try connection.prepare("INSERT OR REPLACE INTO clock (rowid, seen_at) VALUES (1, ?1)")
    gaps = try connection.prepare("SELECT began_at, ended_at FROM gap")
    addGap = try connection.prepare("INSERT INTO gap (began_at, ended_at) VALUES (?1, ?2)")
    dropGaps = try connection.prepare(
      "DELETE FROM gap WHERE ended_at > ?1 OR rowid <= (SELECT max(rowid) FROM gap) - ?2")
    boundRetries = try connection.prepare("UPDATE job SET run_at = ?1 WHERE run_at > ?1")
    boundBatchPauses = try connection.prepare("UPDATE batch SET paused_at = ?1 WHERE paused_at > ?1")
    boundPauses = try connection.prepare("UPDATE pause SET paused_at = ?1 WHERE paused_at > ?1")
    dropFutureWorkers = try connection.prepare("DELETE FROM worker WHERE seen_at > ?1")
  }
}

/// What the ledger holds.
struct SizeStatements {
  /// Batches but passing ones, their jobs that are done and cancelled, those that can be forgotten, and the oldest end.
  let totals: Statement
  /// The first batch from a serial on whose rows users see.
  let batch: Statement

  init(_ connection: borrowing Connection) throws(SQLiteError) {
    let forgettable = "CASE WHEN \(BatchRow.isComplete) THEN settled ELSE 0 END"
    totals = try connection.prepare(
      """
      SELECT count(*), sum(settled - failed - cancelled), sum(cancelled), sum(\(forgettable)),
        sum(CASE WHEN confirmed = rows THEN \(forgettable) ELSE 0 END),
        min(CASE WHEN \(BatchRow.isComplete) AND settled > 0 THEN changed_at END)
      FROM batch WHERE NOT \(BatchRow.isPassing)
      """)
    batch = try connection.prepare(
      """
      SELECT \(BatchRow.columns), id FROM batch
      WHERE serial >= ?1 AND (?2 IS NULL OR id = ?2) AND NOT \(BatchRow.isPassing) AND NOT \(BatchRow.isOfCalls)
      ORDER BY serial LIMIT 1
      """)
  }
}

/// Deletes what is no longer needed.
struct ForgettingStatements {
  let batch: Statement
  let jobs: Statement
  let job: Statement
  let run: Statement
  let emptyBatch: Statement
  let joblessBatches: Statement

  init(_ connection: borrowing Connection) throws(SQLiteError) {
    batch = try connection.prepare(
      """
      SELECT \(BatchRow.columns), id FROM batch
      WHERE \(BatchRow.isComplete) AND changed_at < CASE WHEN confirmed = rows THEN ?1 ELSE ?2 END
        AND (?3 = 0 OR \(BatchRow.isPassing)) AND serial >= ?4 AND (?5 IS NULL OR id = ?5)
        AND (?6 IS NULL OR changed_at < ?6 OR NOT \(BatchRow.isOfCalls))
      ORDER BY serial LIMIT 1
      """)
    jobs = try connection.prepare(
      "SELECT place, job FROM result WHERE place BETWEEN ?1 AND ?2 ORDER BY place LIMIT ?3")
    job = try connection.prepare("DELETE FROM job WHERE id = ?1")
    run = try connection.prepare("DELETE FROM run WHERE batch = (SELECT id FROM batch WHERE serial = ?1)")
    emptyBatch = try connection.prepare("DELETE FROM batch WHERE serial = ?1")
    let isJobless = "submitted = 0 AND rows = 0 AND (total = 0 OR total IS NULL AND cancels IS NOT NULL)"
    joblessBatches = try connection.prepare(
      """
      DELETE FROM batch WHERE \(isJobless) AND serial <=
        (SELECT serial FROM batch WHERE \(isJobless) ORDER BY serial DESC LIMIT 1 OFFSET ?1)
      """)
  }
}

/// When workers spoke last.
struct WorkerStatements {
  let sawAgain: Statement
  let sawFirst: Statement
  let dropUnseen: Statement
  let lastSeen: Statement

  init(_ connection: borrowing Connection) throws(SQLiteError) {
    sawAgain = try connection.prepare("UPDATE worker SET seen_at = ?2 WHERE id = ?1")
    sawFirst = try connection.prepare("INSERT INTO worker (id, seen_at) VALUES (?1, ?2)")
    let remembered =
      "(SELECT max(seen_at) - \(LedgerEvent.unseenWorkersKeptMilliseconds) FROM worker)"
    dropUnseen = try connection.prepare("DELETE FROM worker WHERE seen_at < \(remembered)")
    lastSeen = try connection.prepare("SELECT id, seen_at FROM worker WHERE seen_at >= \(remembered)")
  }
}
