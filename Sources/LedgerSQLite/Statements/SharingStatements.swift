import Pipeline
import SQLite

/// Terms of batches, and pauses.
struct SharingStatements {
  let setTerms: Statement
  let unusual: Statement
  let pause: Statement
  let unpause: Statement
  let paused: Statement
  let pauseOf: Statement

  init(_ connection: borrowing Connection) throws(SQLiteError) {
    setTerms = try connection.prepare(
      """
      UPDATE batch SET name = ?2, weight = ?3, at_most = ?4, per_hour = ?5, starts_at = ?6, deadline = ?7,
        paused_at = ?8, paused_for = ?9, paused_by = ?10, paused_why = ?11
      WHERE serial = ?1
      """)
    unusual = try connection.prepare(
      """
      SELECT \(BatchRow.columns), id FROM batch
      WHERE paused_at IS NOT NULL
        OR (weight IS NOT NULL OR at_most IS NOT NULL OR per_hour IS NOT NULL OR starts_at IS NOT NULL)
          AND (total IS NULL OR total <> settled)
      ORDER BY serial
      """)
    pause = try connection.prepare(
      "INSERT OR REPLACE INTO pause (host, \(Pause.columns)) VALUES (?1, ?2, ?3, ?4, ?5)")
    pauseOf = try connection.prepare("SELECT \(Pause.columns) FROM pause WHERE host = ?1")
    unpause = try connection.prepare("DELETE FROM pause WHERE host = ?1")
    paused = try connection.prepare("SELECT host, \(Pause.columns) FROM pause")
  }
}
