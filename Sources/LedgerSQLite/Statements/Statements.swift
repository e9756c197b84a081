import SQLite

/// Everything the ledger says to the database while it runs, compiled once.
struct Statements {
  let transaction: TransactionStatements
  let jobs: JobStatements
  let selections: SelectionStatements
  let results: ResultStatements
  let batches: BatchStatements
  let workers: WorkerStatements
  let runs: RunStatements
  let searches: SearchStatements
  let oldest: OldestStatements
  let forgetting: ForgettingStatements
  let sharing: SharingStatements
  let sizes: SizeStatements
  let clock: ClockStatements

  init(_ connection: borrowing Connection) throws(SQLiteError) {
    transaction = try TransactionStatements(connection)
    jobs = try JobStatements(connection)
    selections = try SelectionStatements(connection)
    results = try ResultStatements(connection)
    batches = try BatchStatements(connection)
    workers = try WorkerStatements(connection)
    runs = try RunStatements(connection)
    searches = try SearchStatements(connection)
    oldest = try OldestStatements(connection)
    forgetting = try ForgettingStatements(connection)
    sharing = try SharingStatements(connection)
    sizes = try SizeStatements(connection)
    clock = try ClockStatements(connection)
  }
}

/// All or nothing.
struct TransactionStatements {
  let begin: Statement
  let commit: Statement
  let rollback: Statement

  init(_ connection: borrowing Connection) throws(SQLiteError) {
    begin = try connection.prepare("BEGIN IMMEDIATE")
    commit = try connection.prepare("COMMIT")
    rollback = try connection.prepare("ROLLBACK")
  }
}

/// Rows, and why attempts failed.
struct ResultStatements {
  let insert: Statement
  let read: Statement
  let delete: Statement
  let insertCause: Statement
  let trimCauses: Statement
  let causes: Statement
  let deleteCauses: Statement

  init(_ connection: borrowing Connection) throws(SQLiteError) {
    insert = try connection.prepare(
      "INSERT INTO result (place, job, ordinal, failure, json) VALUES (?1, ?2, ?3, ?4, ?5)")
    read = try connection.prepare(
      """
      SELECT place, ordinal, failure, json FROM result WHERE place > ?1 AND place <= ?2 ORDER BY place LIMIT ?3
      """)
    delete = try connection.prepare("DELETE FROM result WHERE job = ?1")
    insertCause = try connection.prepare(
      """
      INSERT INTO cause (job, attempt, failed_at, failure, worker, granted_at, next_at)
      SELECT id, attempts, ?3, ?4, worker, granted_at, ?5 FROM job WHERE id = ?1 AND state = 3 AND token = ?2
      ON CONFLICT (job, attempt) DO UPDATE SET failed_at = excluded.failed_at, failure = excluded.failure,
        worker = excluded.worker, granted_at = excluded.granted_at, next_at = excluded.next_at
      """)
    trimCauses = try connection.prepare(
      """
      DELETE FROM cause WHERE job = ?1 AND attempt NOT IN
        (SELECT attempt FROM cause WHERE job = ?1 ORDER BY attempt DESC LIMIT ?2)
      """)
    causes = try connection.prepare(
      "SELECT attempt, failed_at, failure, worker, granted_at, next_at FROM cause WHERE job = ?1 ORDER BY attempt"
    )
    deleteCauses = try connection.prepare("DELETE FROM cause WHERE job = ?1")
  }
}

/// Counters, and the last token.
struct BatchStatements {
  let insert: Statement
  let byID: Statement
  let bySerial: Statement
  let idOfSerial: Statement
  let newest: Statement
  let count: Statement
  let cancelled: Statement
  let unfinished: Statement
  let update: Statement
  let raiseToken: Statement
  let lastToken: Statement
  let leaseKey: Statement

  init(_ connection: borrowing Connection) throws(SQLiteError) {
    insert = try connection.prepare(
      "INSERT INTO batch (id, changed_at, submitted_at, first_submitted_at, kinds) VALUES (?1, ?2, ?2, ?2, 0)"
    )
    byID = try connection.prepare("SELECT \(BatchRow.columns) FROM batch WHERE id = ?1")
    bySerial = try connection.prepare("SELECT \(BatchRow.columns) FROM batch WHERE serial = ?1")
    idOfSerial = try connection.prepare("SELECT id FROM batch WHERE serial = ?1")
    newest = try connection.prepare(
      """
      SELECT \(BatchRow.columns), id FROM batch
      WHERE serial <= ?1 AND NOT \(BatchRow.isPassing) AND NOT \(BatchRow.isOfCalls) ORDER BY serial DESC LIMIT ?2
      """)
    count = try connection.prepare(
      "SELECT count(*) FROM batch WHERE NOT \(BatchRow.isPassing) AND NOT \(BatchRow.isOfCalls)")
    cancelled = try connection.prepare(
      "SELECT \(BatchRow.columns), id FROM batch WHERE cancels IS NOT NULL ORDER BY serial")
    unfinished = try connection.prepare(
      """
      SELECT id FROM batch
      WHERE (total IS NULL OR total > submitted) AND submitted_at < ?1 AND NOT \(BatchRow.isOfCalls)
      ORDER BY serial LIMIT ?2
      """)
    update = try connection.prepare(
      """
      UPDATE batch SET total = ?2, rows = ?3, confirmed = ?4, submitted = ?5, settled = ?6, failed = ?7,
        changed_at = coalesce(?8, changed_at), cancelled = ?9, abandoned = ?10, submitted_at = ?11,
        cancels = ?12, cause = ?13, kinds = ?14
      WHERE serial = ?1
      """)
    raiseToken = try connection.prepare("UPDATE lease SET last_token = ?1")
    lastToken = try connection.prepare("SELECT last_token FROM lease")
    leaseKey = try connection.prepare("SELECT key FROM lease")
  }
}
