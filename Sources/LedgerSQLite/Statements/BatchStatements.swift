import Pipeline
import SQLite

/// Batches, and what is paused.
struct BatchSQL {
  private static let selected = "SELECT \(LedgerBatch.columns) FROM batch"
  let insert = SQL(
    "INSERT INTO batch (id, changed_at, submitted_at, first_submitted_at, kinds) VALUES (?1, ?2, ?2, ?2, 0)"
  )
  let update = SQL(
    """
    UPDATE batch SET total = ?2, rows = ?3, confirmed = ?4, submitted = ?5, settled = ?6, failed = ?7, cancelled = ?8,
      abandoned = ?9, submitted_at = ?10, cancels = ?11, cause = ?12, paused_at = ?13, paused_for = ?14, paused_by = ?15,
      paused_why = ?16, changed_at = coalesce(?17, changed_at), name = ?18, weight = ?19, at_most = ?20, per_hour = ?21,
      starts_at = ?22, deadline = ?23, kinds = ?24
    WHERE serial = ?1
    """)
  let byID = SQL("\(Self.selected) WHERE id = ?1")
  let bySerial = SQL("\(Self.selected) WHERE serial = ?1")
  /// The last batch up to a serial number.
  let upTo = SQL("\(Self.selected) WHERE serial <= ?1 ORDER BY serial DESC LIMIT 1")
  /// The newest up to a serial number.
  let newest = SQL(
    "\(Self.selected) WHERE serial <= ?1 AND \(LedgerBatch.isShown) ORDER BY serial DESC LIMIT ?2")
  /// From a serial on.
  let shown = SQL(
    """
    \(Self.selected) WHERE serial >= ?1 AND (?2 IS NULL OR id = ?2) AND \(LedgerBatch.isShown) ORDER BY serial LIMIT ?3
    """)
  let count = SQL("SELECT count(*) FROM batch WHERE \(LedgerBatch.isShown)")
  let cancelled = SQL("\(Self.selected) WHERE cancels IS NOT NULL ORDER BY serial")
  let unfinished = SQL(
    """
    \(Self.selected)
    WHERE (total IS NULL OR total > submitted) AND submitted_at < ?1 AND NOT \(LedgerBatch.isOfCalls)
    ORDER BY serial LIMIT ?2
    """)
  /// The first ones with open jobs.
  let open = SQL(
    "\(Self.selected) INDEXED BY batch_open WHERE \(Schema.hasOpenJobs) ORDER BY serial LIMIT ?1")
  /// With terms or a pause that may count.
  let unusual = SQL(
    """
    \(Self.selected)
    WHERE paused_at IS NOT NULL
      OR (weight IS NOT NULL OR at_most IS NOT NULL OR per_hour IS NOT NULL OR starts_at IS NOT NULL)
        AND (total IS NULL OR total <> settled)
    ORDER BY serial
    """)
  let pause = SQL(
    "INSERT OR REPLACE INTO pause (host, \(Pause.columns)) VALUES (?1, ?2, ?3, ?4, ?5)")
  let pauseOf = SQL("SELECT \(Pause.columns) FROM pause WHERE host = ?1")
  let unpause = SQL("DELETE FROM pause WHERE host = ?1")
  let paused = SQL("SELECT host, \(Pause.columns) FROM pause")
  private static let forgettable = "CASE WHEN \(LedgerBatch.isComplete) THEN settled ELSE 0 END"
  /// Batches but passing ones, their jobs that are done and cancelled, those that can be forgotten, and the oldest end.
  let totals = SQL(
    """
    SELECT count(*), sum(settled - failed - cancelled), sum(cancelled), sum(\(Self.forgettable)),
      sum(CASE WHEN confirmed = rows THEN \(Self.forgettable) ELSE 0 END),
      min(CASE WHEN \(LedgerBatch.isComplete) AND settled > 0 THEN changed_at END)
    FROM batch WHERE NOT \(LedgerBatch.isPassing)
    """)
}
