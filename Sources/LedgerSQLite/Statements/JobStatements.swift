import SQLite

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
