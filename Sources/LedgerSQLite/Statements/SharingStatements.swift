import SQLite

/// Terms of batches, and pauses.
struct SharingStatements {
  let setTerms: Statement
  let unusual: Statement
  let pause: Statement
  let unpause: Statement
  let paused: Statement

  init(_ connection: borrowing Connection) throws(SQLiteError) {
    setTerms = try connection.prepare(
      """
      UPDATE batch SET paused = ?2, name = ?3, weight = ?4, at_most = ?5, per_hour = ?6, starts_at = ?7, deadline = ?8
      WHERE serial = ?1
      """)
    unusual = try connection.prepare(
      """
      SELECT \(BatchRow.columns), id FROM batch
      WHERE (paused = 1 OR weight IS NOT NULL OR at_most IS NOT NULL OR per_hour IS NOT NULL OR starts_at IS NOT NULL)
        AND (total IS NULL OR total <> settled)
      ORDER BY serial
      """)
    pause = try connection.prepare("INSERT INTO pause (host) VALUES (?1) ON CONFLICT (host) DO NOTHING")
    unpause = try connection.prepare("DELETE FROM pause WHERE host = ?1")
    paused = try connection.prepare("SELECT host FROM pause")
  }
}
