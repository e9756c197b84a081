import SQLite

/// Everything that the ledger says to the database while it runs.
extension SQL {
  static let transaction = TransactionSQL()
  static let jobs = JobSQL()
  static let selections = SelectionSQL()
  static let results = ResultSQL()
  static let batches = BatchSQL()
  static let workers = WorkerSQL()
  static let runs = RunSQL()
  static let searches = SearchSQL()
  static let oldest = OldestSQL()
  static let forgetting = ForgettingSQL()
  static let sharing = SharingSQL()
  static let sizes = SizeSQL()
  static let owner = OwnerSQL()
  static let cache = CacheSQL()
}

/// All or nothing.
struct TransactionSQL {
  let begin = SQL("BEGIN IMMEDIATE")
  let commit = SQL("COMMIT")
  let rollback = SQL("ROLLBACK")
}

/// Rows, and why attempts failed.
struct ResultSQL {
  let insert = SQL(
    "INSERT INTO result (place, job, ordinal, failure, json) VALUES (?1, ?2, ?3, ?4, ?5)")
  let read = SQL(
    """
    SELECT place, ordinal, failure, json FROM result WHERE place > ?1 AND place <= ?2 ORDER BY place LIMIT ?3
    """)
  let delete = SQL("DELETE FROM result WHERE job = ?1")
  let insertCause = SQL(
    """
    INSERT OR REPLACE INTO cause (job, attempt, failed_at, failure, worker, granted_at, next_at)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
    """)
  let trimCauses = SQL(
    """
    DELETE FROM cause WHERE job = ?1 AND attempt NOT IN
      (SELECT attempt FROM cause WHERE job = ?1 ORDER BY attempt DESC LIMIT ?2)
    """)
  let causes = SQL(
    "SELECT attempt, failed_at, failure, worker, granted_at, next_at FROM cause WHERE job = ?1 ORDER BY attempt"
  )
  /// The last of those that were a worker's death.
  let deleteDeath = SQL(
    """
    DELETE FROM cause WHERE job = ?1 AND attempt =
      (SELECT max(attempt) FROM cause WHERE job = ?1 AND failure = X'')
    """)
  let deleteCauses = SQL("DELETE FROM cause WHERE job = ?1")
}

/// Counters.
struct BatchSQL {
  let insert = SQL(
    "INSERT INTO batch (id, changed_at, submitted_at, first_submitted_at, kinds) VALUES (?1, ?2, ?2, ?2, 0)"
  )
  let byID = SQL("SELECT \(BatchRow.columns) FROM batch WHERE id = ?1")
  let bySerial = SQL("SELECT \(BatchRow.columns), id FROM batch WHERE serial = ?1")
  let newest = SQL(
    """
    SELECT \(BatchRow.columns), id FROM batch
    WHERE serial <= ?1 AND NOT \(BatchRow.isPassing) AND NOT \(BatchRow.isOfCalls) ORDER BY serial DESC LIMIT ?2
    """)
  /// From a serial on.
  let shown = SQL(
    """
    SELECT \(BatchRow.columns), id FROM batch
    WHERE serial >= ?1 AND (?2 IS NULL OR id = ?2) AND NOT \(BatchRow.isPassing) AND NOT \(BatchRow.isOfCalls)
    ORDER BY serial LIMIT ?3
    """)
  let count = SQL(
    "SELECT count(*) FROM batch WHERE NOT \(BatchRow.isPassing) AND NOT \(BatchRow.isOfCalls)")
  let cancelled = SQL(
    "SELECT \(BatchRow.columns), id FROM batch WHERE cancels IS NOT NULL ORDER BY serial")
  let unfinished = SQL(
    """
    SELECT \(BatchRow.columns), id FROM batch
    WHERE (total IS NULL OR total > submitted) AND submitted_at < ?1 AND NOT \(BatchRow.isOfCalls)
    ORDER BY serial LIMIT ?2
    """)
  let update = SQL(
    """
    UPDATE batch SET total = ?2, rows = ?3, confirmed = ?4, submitted = ?5, settled = ?6, failed = ?7,
      changed_at = coalesce(?8, changed_at), cancelled = ?9, abandoned = ?10, submitted_at = ?11,
      cancels = ?12, cause = ?13, kinds = ?14
    WHERE serial = ?1
    """)
}
