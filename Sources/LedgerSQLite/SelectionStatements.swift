import SQLite

/// Pages of jobs in the order of their ids, each by a partial index: what is over, or in another state, costs nothing.
///
/// The first parameter is the least id that may come, the second how many come at most.
struct SelectionStatements {
  /// Up to the id in the third parameter, whatever state they are in.
  let open: Statement
  /// In the state of the third parameter.
  let inState: Statement
  /// The ready jobs of a batch, host after host, from the one after the host in the second parameter.
  let ready: Statement
  /// The ready jobs of a batch and host from an id on.
  let readyAtHost: Statement
  /// The first batch after another that has ready jobs.
  let readyBatch: Statement
  /// With a retry that is due at the third parameter.
  let due: Statement
  /// With a deadline that has passed at the third parameter.
  let overdue: Statement
  /// Ids only, up to the one in the third parameter.
  let dead: Statement
  /// How many are open, by state.
  let counts: Statement
  let deadCount: Statement

  init(_ connection: borrowing Connection) throws(SQLiteError) {
    // Each state is in order by itself; the four are merged, not sorted.
    let openIDs = (1...4).map { state in
      "SELECT id FROM job INDEXED BY job_open WHERE state = \(state) AND state < 5 AND id >= ?1 AND id <= ?3"
    }
    open = try connection.prepare(Self.jobs(in: openIDs.joined(separator: " UNION ALL ")))
    // The second condition on the state is the index's own, word for word: without it the index is not used.
    inState = try connection.prepare(
      """
      SELECT \(StoredJob.columns) FROM job INDEXED BY job_open
      WHERE state = ?3 AND state < 5 AND id >= ?1 AND id <= ?4 ORDER BY id LIMIT ?2
      """)
    ready = try connection.prepare(
      """
      SELECT \(StoredJob.columns) FROM job INDEXED BY job_ready
      WHERE state = 2 AND batch = ?1 AND host > ?2 ORDER BY host, id LIMIT ?3
      """)
    readyAtHost = try connection.prepare(
      """
      SELECT \(StoredJob.columns) FROM job INDEXED BY job_ready
      WHERE state = 2 AND batch = ?1 AND host = ?2 AND id >= ?3 ORDER BY id LIMIT ?4
      """)
    readyBatch = try connection.prepare(
      "SELECT batch FROM job INDEXED BY job_ready WHERE state = 2 AND batch > ?1 ORDER BY batch LIMIT 1")
    due = try connection.prepare(
      Self.jobs(in: "SELECT id FROM job INDEXED BY job_due WHERE run_at <= ?3 AND id >= ?1"))
    overdue = try connection.prepare(
      Self.jobs(in: "SELECT id FROM job INDEXED BY job_deadline WHERE deadline <= ?3 AND id >= ?1"))
    dead = try connection.prepare(
      "SELECT id FROM job INDEXED BY job_dead WHERE state = 6 AND id >= ?1 AND id <= ?3 ORDER BY id LIMIT ?2")
    counts = try connection.prepare(
      "SELECT state, count(*) FROM job INDEXED BY job_open WHERE state < 5 GROUP BY state")
    deadCount = try connection.prepare("SELECT count(*) FROM job INDEXED BY job_dead WHERE state = 6")
  }

  /// Only ids are put in order; the jobs of the page are read afterwards.
  private static func jobs(in ids: String) -> String {
    "SELECT \(StoredJob.columns) FROM job WHERE id IN (\(ids) ORDER BY id LIMIT ?2) ORDER BY id"
  }
}
