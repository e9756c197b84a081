import SQLite

/// What happens to jobs. `JobLife` has the rules.
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
    WHERE id = ?1 AND state = 2 AND attempts = ?3 - 1
    """)
  /// Under the lease that it has. Whose it was is kept.
  let end = SQL(
    """
    UPDATE job SET state = ?2, token = NULL, run_at = NULL, deadline = NULL, ended_at = ?4
    WHERE id = ?1 AND state = 3 AND token = ?3
    """)
  let change = SQL(
    """
    UPDATE job SET state = ?2, attempts = ?3, crashes = ?4, token = ?5, run_at = ?6, worker = ?7, granted_at = ?8,
      ended_at = ?9, deadline = ?10
    WHERE id = ?1
    """)
  let state = SQL("SELECT state FROM job WHERE id = ?1")
  let record = SQL("SELECT record FROM job WHERE id = ?1")
  let inRange = SQL(
    "SELECT \(StoredJob.columns) FROM job WHERE id BETWEEN ?1 AND ?2 ORDER BY id LIMIT ?3")
}
