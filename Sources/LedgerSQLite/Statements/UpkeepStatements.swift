import Pipeline
import SQLite

/// Who owns it, when it was in use, what a clock that jumped has left in it, and when workers spoke last.
struct OwnerSQL {
  let read = SQL("SELECT epoch, holder, renewed_at, last_token, lease_key FROM owner")
  let write = SQL("UPDATE owner SET epoch = ?1, holder = ?2, renewed_at = ?3")
  let raiseToken = SQL("UPDATE owner SET last_token = ?1")
  let gaps = SQL("SELECT began_at, ended_at FROM gap")
  let addGap = SQL("INSERT INTO gap (began_at, ended_at) VALUES (?1, ?2)")
  let dropGaps = SQL(
    "DELETE FROM gap WHERE ended_at > ?1 OR rowid <= (SELECT max(rowid) FROM gap) - ?2")
  let boundRetries = SQL("UPDATE job SET run_at = ?1 WHERE run_at > ?1")
  let boundBatchPauses = SQL("UPDATE batch SET paused_at = ?1 WHERE paused_at > ?1")
  let boundPauses = SQL("UPDATE pause SET paused_at = ?1 WHERE paused_at > ?1")
  let dropFutureWorkers = SQL("DELETE FROM worker WHERE seen_at > ?1")
  let sawAgain = SQL("UPDATE worker SET seen_at = ?2 WHERE id = ?1")
  let sawFirst = SQL("INSERT INTO worker (id, seen_at) VALUES (?1, ?2)")
  let dropUnseen = SQL(
    """
    DELETE FROM worker
    WHERE seen_at < (SELECT max(seen_at) - \(Changes.unseenWorkersKeptMilliseconds) FROM worker)
    """)
  let lastSeen = SQL("SELECT id, seen_at FROM worker")
}

/// Runs and their batches, and what is no longer needed.
struct UpkeepSQL {
  let insertRun = SQL("INSERT INTO run (name, batch) VALUES (?1, ?2) ON CONFLICT (name) DO NOTHING")
  let runByName = SQL("SELECT batch FROM run WHERE name = ?1")
  let setDeadlines = SQL(
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
  /// The first batch that may be forgotten.
  let oldBatch = SQL(
    """
    SELECT \(LedgerBatch.columns) FROM batch
    WHERE \(LedgerBatch.isComplete) AND changed_at < CASE WHEN confirmed = rows THEN ?1 ELSE ?2 END
      AND (?3 IS NULL OR ?3 = (\(LedgerBatch.isPassing))) AND serial >= ?4 AND (?5 IS NULL OR id = ?5)
      AND (?6 IS NULL OR changed_at < ?6 OR NOT \(LedgerBatch.isOfCalls))
    ORDER BY serial LIMIT 1
    """)
  /// Rows with their jobs, and the states of these.
  let oldRows = SQL(
    """
    SELECT place, job, (SELECT state FROM job WHERE id = result.job) FROM result
    WHERE place BETWEEN ?1 AND ?2 ORDER BY place LIMIT ?3
    """)
  let deleteRun = SQL("DELETE FROM run WHERE batch = (SELECT id FROM batch WHERE serial = ?1)")
  let deleteBatch = SQL("DELETE FROM batch WHERE serial = ?1")
  private static let isJobless =
    "submitted = 0 AND rows = 0 AND (total = 0 OR total IS NULL AND cancels IS NOT NULL)"
  /// All but the newest.
  let deleteJobless = SQL(
    """
    DELETE FROM batch WHERE \(Self.isJobless) AND serial <=
      (SELECT serial FROM batch WHERE \(Self.isJobless) ORDER BY serial DESC LIMIT 1 OFFSET ?1)
    """)
}
