import SQLite

/// Pages of jobs in the order of their ids, each by a partial index: what is over, or in another state, costs nothing.
///
/// Where nothing else is said, the first parameter is an id behind which the page begins, the second how many come at most.
struct SelectionSQL {
  private static let ofReady = "FROM job INDEXED BY job_ready WHERE state = 2"
  // Each state is in order by itself; the three are merged, not sorted.
  private static let openIDs = [1, 3, 4].map { state in
    """
    SELECT id FROM job INDEXED BY job_open
    WHERE state = \(state) AND \(Schema.isOpenElsewhere) AND id > ?1 AND id <= ?3
    """
  }
  /// Ids up to the one in the third parameter, in any state but ready.
  let open = SQL("\(Self.openIDs.joined(separator: " UNION ALL ")) ORDER BY id LIMIT ?2")
  /// In the state of the third parameter, which is not ready.
  let inState = SQL(
    """
    SELECT \(StoredJob.columns) FROM job INDEXED BY job_open
    WHERE state = ?3 AND \(Schema.isOpenElsewhere) AND id > ?1 ORDER BY id LIMIT ?2
    """)
  /// Ids of ready jobs of the batch in the third parameter, from the block in the fourth on. Only the ids of a block are
  /// sorted: blocks are in order by themselves.
  let ready = SQL(
    "SELECT id \(Self.ofReady) AND batch = ?3 AND block >= ?4 AND id > ?1 ORDER BY block, id LIMIT ?2")
  /// The first block of a batch, from one on, that has ready jobs.
  let readyBlock = SQL(
    "SELECT block \(Self.ofReady) AND batch = ?1 AND block >= ?2 ORDER BY block LIMIT 1")
  /// Hosts and ids of the ready jobs of a batch and block, from a host on.
  let readyInBlock = SQL(
    "SELECT host, id \(Self.ofReady) AND batch = ?1 AND block = ?2 AND host >= ?3 ORDER BY host, id")
  /// The ready jobs of a batch, block and host behind an id.
  let readyAtHost = SQL(
    """
    SELECT \(StoredJob.columns) \(Self.ofReady) AND batch = ?1 AND block = ?2 AND host = ?3 AND id > ?4
    ORDER BY id LIMIT ?5
    """)
  /// The first batch after another that has ready jobs.
  let readyBatch = SQL("SELECT batch \(Self.ofReady) AND batch > ?1 ORDER BY batch LIMIT 1")
  /// With a retry that is due at the third parameter.
  let due = SQL(
    Self.jobs(in: "SELECT id FROM job INDEXED BY job_due WHERE run_at <= ?3 AND id > ?1"))
  /// With a deadline that has passed at the third parameter.
  let overdue = SQL(
    Self.jobs(in: "SELECT id FROM job INDEXED BY job_deadline WHERE deadline <= ?3 AND id > ?1"))
  /// How many are open or dead, by state.
  let counts = SQL(
    """
    SELECT state, count(*) FROM job INDEXED BY job_open WHERE \(Schema.isOpenElsewhere) GROUP BY state
    UNION ALL SELECT 2, count(*) \(Self.ofReady)
    UNION ALL SELECT 6, count(*) FROM job INDEXED BY job_dead WHERE state = 6
    """)

  /// Only ids are put in order; the jobs of the page are read afterwards.
  private static func jobs(in ids: String) -> String {
    "SELECT \(StoredJob.columns) FROM job WHERE id IN (\(ids) ORDER BY id LIMIT ?2) ORDER BY id"
  }
}
