import SQLite

/// What happens to jobs, each statement guarded by the state it needs, as `JobLife` has it: no changed row means that
/// it came too late.
struct JobSQL {
  let insert = SQL(
    """
    INSERT INTO job (id, batch, ordinal, state, deadline, record, host, block, submitted_at, link)
    VALUES (?1, ?2, ?3, ?6, ?4, ?5, ?7, ?8, ?9, ?10)
    ON CONFLICT (id) DO NOTHING
    """)
  let grant = SQL(
    """
    UPDATE job SET state = 3, token = ?2, attempts = ?3, worker = ?4, granted_at = ?5
    WHERE id = ?1 AND state = 2 AND (attempts + 1) & 65535 = ?3
    """)
  let isGranted = SQL("SELECT 1 FROM job WHERE id = ?1 AND state = 3 AND token = ?2")
  let ends = EndSQL()
  let becameDue = SQL("UPDATE job SET state = 2, run_at = NULL WHERE id = ?1 AND state = 4")
  let giveBack = SQL(
    """
    UPDATE job SET state = 2, attempts = max(attempts - 1, 0), token = NULL, worker = NULL, granted_at = NULL
    WHERE id = ?1 AND state = 3 AND token = ?2
    """)
  let deaths = DeathSQL()
  let requeue = SQL(
    """
    UPDATE job SET state = ?2, attempts = CASE ?2 WHEN 1 THEN min(attempts + 1, 65535) ELSE 0 END, crashes = 0,
      worker = NULL, granted_at = NULL, ended_at = NULL
    WHERE id = ?1 AND state = 6 RETURNING batch
    """)
  let state = SQL("SELECT state FROM job WHERE id = ?1")
  let record = SQL("SELECT record FROM job WHERE id = ?1")
  let inRange = SQL(
    "SELECT \(StoredJob.columns) FROM job WHERE id BETWEEN ?1 AND ?2 ORDER BY id LIMIT ?3")
}

/// The ends of attempts.
struct EndSQL {
  /// Under the lease that the job has. Whose it was is kept.
  let held = SQL(
    """
    UPDATE job SET state = ?2, token = NULL, run_at = NULL, deadline = NULL, ended_at = ?4
    WHERE id = ?1 AND state = 3 AND token = ?3
    """)
  /// A success under a lease that it had.
  let late = SQL(
    """
    UPDATE job SET state = ?2, token = NULL, worker = NULL, granted_at = NULL, run_at = NULL, deadline = NULL,
      ended_at = ?4
    WHERE id = ?1 AND ?2 = 5 AND state BETWEEN 2 AND 4 AND ?3 <= attempts
    """)
  /// Without a lease.
  let any = SQL(
    """
    UPDATE job SET state = ?2, token = NULL, run_at = NULL, deadline = NULL, ended_at = ?3
    WHERE id = ?1 AND state < 5
    """)
  let retry = SQL(
    """
    UPDATE job SET state = 4, run_at = ?3, token = NULL, worker = NULL WHERE id = ?1 AND state = 3 AND token = ?2
    """)
}

/// Deaths of workers that can have been on a job.
struct DeathSQL {
  let happened = SQL(
    """
    UPDATE job SET state = 2, crashes = min(crashes + 1, 255), token = NULL, worker = NULL
    WHERE id = ?1 AND state = 3 AND token = ?2
    """)
  /// There was none: the worker lives.
  let absolve = SQL(
    """
    UPDATE job SET crashes = crashes - 1, attempts = max(attempts - 1, 0)
    WHERE id = ?1 AND state < 5 AND crashes = ?2 AND crashes > 0
    """)
  /// Before `happened`, which takes the lease out of the job's row.
  let note = SQL(
    """
    INSERT INTO cause (job, attempt, failed_at, failure, worker, granted_at)
    SELECT id, attempts, ?3, X'', worker, granted_at FROM job WHERE id = ?1 AND state = 3 AND token = ?2
    ON CONFLICT (job, attempt) DO UPDATE SET failed_at = excluded.failed_at, failure = excluded.failure,
      worker = excluded.worker, granted_at = excluded.granted_at, next_at = NULL
    """)
  let forget = SQL(
    """
    DELETE FROM cause WHERE job = ?1 AND attempt =
      (SELECT max(attempt) FROM cause WHERE job = ?1 AND failure = X'')
    """)
}
