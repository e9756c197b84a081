import SQLite

/// Pages of jobs in the order of their ids, each by a partial index: what is over, or in another state, costs nothing.
///
/// Where nothing else is said, the first parameter is the least id that may come, the second how many come at most.
struct SelectionStatements {
  /// Ids up to the one in the third parameter, in any state but ready.
  let open: Statement
  /// In the state of the third parameter, which is not ready.
  let inState: Statement
  /// Ids of ready jobs of the batch in the third parameter, from the block in the fourth on.
  let ready: Statement
  /// The first block of a batch, from one on, that has ready jobs.
  let readyBlock: Statement
  /// Hosts and ids of the ready jobs of a batch and block, from a host on.
  let readyInBlock: Statement
  /// The ready jobs of a batch, block and host from an id on.
  let readyAtHost: Statement
  /// The first batch after another that has ready jobs.
  let readyBatch: Statement
  /// With a retry that is due at the third parameter.
  let due: Statement
  /// With a deadline that has passed at the third parameter.
  let overdue: Statement
  /// Ids only, up to the one in the third parameter.
  let dead: Statement
  /// One job that is not over, by its id.
  let openOne: Statement
  /// How many are open, by state.
  let counts: Statement
  let readyCount: Statement
  let deadCount: Statement

  init(_ connection: borrowing Connection) throws(SQLiteError) {
    let columns = StoredJob.columns
    let ready = "FROM job INDEXED BY job_ready WHERE state = 2"
    // Each state is in order by itself; the three are merged, not sorted.
    let openIDs = [1, 3, 4].map { state in
      """
      SELECT id FROM job INDEXED BY job_open
      WHERE state = \(state) AND \(Schema.isOpenElsewhere) AND id >= ?1 AND id <= ?3
      """
    }
    open = try connection.prepare("\(openIDs.joined(separator: " UNION ALL ")) ORDER BY id LIMIT ?2")
    inState = try connection.prepare(
      """
      SELECT \(columns) FROM job INDEXED BY job_open
      WHERE state = ?3 AND \(Schema.isOpenElsewhere) AND id >= ?1 ORDER BY id LIMIT ?2
      """)
    // Only the ids of a block are sorted: blocks are in order by themselves.
    self.ready = try connection.prepare(
      "SELECT id \(ready) AND batch = ?3 AND block >= ?4 AND id >= ?1 ORDER BY block, id LIMIT ?2")
    readyBlock = try connection.prepare(
      "SELECT block \(ready) AND batch = ?1 AND block >= ?2 ORDER BY block LIMIT 1")
    readyInBlock = try connection.prepare(
      "SELECT host, id \(ready) AND batch = ?1 AND block = ?2 AND host >= ?3 ORDER BY host, id")
    readyAtHost = try connection.prepare(
      """
      SELECT \(columns) \(ready) AND batch = ?1 AND block = ?2 AND host = ?3 AND id >= ?4
      ORDER BY id LIMIT ?5
      """)
    readyBatch = try connection.prepare("SELECT batch \(ready) AND batch > ?1 ORDER BY batch LIMIT 1")
    due = try connection.prepare(
      Self.jobs(in: "SELECT id FROM job INDEXED BY job_due WHERE run_at <= ?3 AND id >= ?1"))
    overdue = try connection.prepare(
      Self.jobs(in: "SELECT id FROM job INDEXED BY job_deadline WHERE deadline <= ?3 AND id >= ?1"))
    dead = try connection.prepare(
      "SELECT id FROM job INDEXED BY job_dead WHERE state = 6 AND id >= ?1 AND id <= ?3 ORDER BY id LIMIT ?2")
    openOne = try connection.prepare("SELECT \(columns) FROM job WHERE id = ?1 AND state < 5")
    counts = try connection.prepare(
      "SELECT state, count(*) FROM job INDEXED BY job_open WHERE \(Schema.isOpenElsewhere) GROUP BY state")
    readyCount = try connection.prepare("SELECT count(*) \(ready)")
    deadCount = try connection.prepare("SELECT count(*) FROM job INDEXED BY job_dead WHERE state = 6")
  }

  /// Only ids are put in order; the jobs of the page are read afterwards.
  private static func jobs(in ids: String) -> String {
    "SELECT \(StoredJob.columns) FROM job WHERE id IN (\(ids) ORDER BY id LIMIT ?2) ORDER BY id"
  }
}
