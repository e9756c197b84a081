import Pipeline
import SQLite

/// Everything that the ledger says to the database while it runs.
extension SQL {
  static let jobs = JobSQL()
  static let results = ResultSQL()
  static let batches = BatchSQL()
  static let selections = SelectionSQL()
  static let searches = SearchSQL()
  static let upkeep = UpkeepSQL()
  static let owner = OwnerSQL()
  static let cache = CacheSQL()
  static let begin = SQL("BEGIN IMMEDIATE")
  static let beginReading = SQL("BEGIN")
  static let commit = SQL("COMMIT")
  static let rollback = SQL("ROLLBACK")
}

/// What happens to jobs. `JobLife` has the rules.
struct JobSQL {
  let insert = SQL(
    """
    INSERT INTO job (id, batch, ordinal, state, deadline, record, host, block, submitted_at, link, attempts, token, worker,
      granted_at)
    VALUES (?1, ?2, ?3, ?6, ?4, ?5, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
    ON CONFLICT (id) DO NOTHING
    """)
  let grant = SQL(
    """
    UPDATE job SET state = 3, token = ?2, attempts = ?3, worker = ?4, granted_at = ?5
    WHERE id = ?1 AND state = 2 AND attempts = ?3 - 1
    """)
  /// Under the lease that it has. Whose it was is kept.
  let end = SQL(
    """
    UPDATE job SET state = ?2, token = NULL, run_at = NULL, deadline = NULL, ended_at = ?4, place = ?5
    WHERE id = ?1 AND state = 3 AND token = ?3
    """)
  let change = SQL(
    """
    UPDATE job SET state = ?2, attempts = ?3, crashes = ?4, token = ?5, run_at = ?6, worker = ?7, granted_at = ?8,
      ended_at = ?9, deadline = ?10, place = ?11
    WHERE id = ?1
    """)
  let delete = SQL("DELETE FROM job WHERE id = ?1")
  let one = SQL("SELECT \(StoredJob.columns) FROM job WHERE id = ?1")
  let record = SQL("SELECT record FROM job WHERE id = ?1")
  let inRange = SQL(
    "SELECT \(StoredJob.columns) FROM job WHERE id BETWEEN ?1 AND ?2 ORDER BY id LIMIT ?3")
}

/// Rows, and why attempts failed.
struct ResultSQL {
  let insert = SQL(
    "INSERT INTO result (place, job, ordinal, failure, json) VALUES (?1, ?2, ?3, ?4, ?5)")
  let read = SQL(
    """
    SELECT place, ordinal, failure, json FROM result WHERE place > ?1 AND place <= ?2 ORDER BY place LIMIT ?3
    """)
  private static let isOfJob = "place = (SELECT place FROM job WHERE id = ?1)"
  let ofJob = SQL("SELECT place, ordinal, failure, json FROM result WHERE \(Self.isOfJob)")
  /// How a job ended.
  let failure = SQL("SELECT failure FROM result WHERE \(Self.isOfJob)")
  /// Before the job changes or goes.
  let delete = SQL("DELETE FROM result WHERE \(Self.isOfJob)")
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

/// Jobs that are over or not, the last first. Each statement uses an index and has a limit.
struct SearchSQL {
  private static let ofReady = "FROM job INDEXED BY job_ready WHERE state = 2"
  private static let linked = "FROM job INDEXED BY job_link WHERE link IS NOT NULL"
  private static let page = "id BETWEEN ?1 AND ?2 ORDER BY id DESC LIMIT ?3"
  /// Where not said otherwise, the first two parameters are the least and the greatest id, and the third is the limit.
  let byID = SQL("SELECT \(StoredJob.columns) FROM job WHERE \(Self.page)")
  /// In the state of the fourth parameter, which is open and not ready.
  let inState = SQL(
    """
    SELECT \(StoredJob.columns) FROM job INDEXED BY job_open
    WHERE state = ?4 AND \(Schema.isOpenElsewhere) AND \(Self.page)
    """)
  let dead = SQL(
    "SELECT \(StoredJob.columns) FROM job INDEXED BY job_dead WHERE state = 6 AND \(Self.page)")
  /// The last block of a batch, up to one, that has ready jobs, and those of a block up to an id.
  let readyBlock = SQL(
    "SELECT block \(Self.ofReady) AND batch = ?1 AND block <= ?2 ORDER BY block DESC LIMIT 1")
  let readyInBlock = SQL(
    """
    SELECT \(StoredJob.columns) FROM job WHERE id IN
      (SELECT id \(Self.ofReady) AND batch = ?1 AND block = ?2 AND id <= ?3 ORDER BY id DESC LIMIT ?4)
    ORDER BY id DESC
    """)
  /// The last block of a batch, up to one, that has links, and those of a block with a key in a range, up to an id.
  let linkBlock = SQL(
    "SELECT block \(Self.linked) AND batch = ?1 AND block <= ?2 ORDER BY block DESC LIMIT 1")
  let linksInBlock = SQL(
    """
    SELECT \(StoredJob.columns) FROM job WHERE id IN
      (SELECT id \(Self.linked) AND batch = ?1 AND block = ?2 AND link BETWEEN ?5 AND ?6 AND id <= ?3
        ORDER BY id DESC LIMIT ?4)
    ORDER BY id DESC
    """)
}

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
  let wait = SQL(
    "INSERT OR REPLACE INTO wait (host, until, kind, failures, asked) VALUES (?1, ?2, ?3, ?4, ?5)")
  let endWait = SQL("DELETE FROM wait WHERE host = ?1")
  let dropWaits = SQL("DELETE FROM wait WHERE until <= ?1")
  let boundWaits = SQL("UPDATE wait SET until = ?1 WHERE until > ?1")
  let waits = SQL("SELECT host, until, kind, failures, asked FROM wait")
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
