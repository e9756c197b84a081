import Pipeline
import SQLite

/// Jobs that are over or not, the last first. Each statement uses an index and has a limit.
struct SearchStatements {
  /// Where not said otherwise, the first two parameters are the least and the greatest id, and the third is the limit.
  let byID: Statement
  /// In the state of the fourth parameter, which is open and not ready.
  let inState: Statement
  let dead: Statement
  /// The last block of a batch, up to one, that has ready jobs, and those of a block up to an id.
  let readyBlock: Statement
  let readyInBlock: Statement
  /// The last block of a batch, up to one, that has links, and those of a block with a key in a range, up to an id.
  let linkBlock: Statement
  let linksInBlock: Statement
  let one: Statement
  /// How a job ended, and its whole row.
  let failure: Statement
  let row: Statement
  /// The last batch up to a serial number.
  let batch: Statement

  init(_ connection: borrowing Connection) throws(SQLiteError) {
    let columns = StoredJob.columns
    let ready = "FROM job INDEXED BY job_ready WHERE state = 2"
    let linked = "FROM job INDEXED BY job_link WHERE link IS NOT NULL"
    let page = "id BETWEEN ?1 AND ?2 ORDER BY id DESC LIMIT ?3"
    byID = try connection.prepare("SELECT \(columns) FROM job WHERE \(page)")
    inState = try connection.prepare(
      """
      SELECT \(columns) FROM job INDEXED BY job_open
      WHERE state = ?4 AND \(Schema.isOpenElsewhere) AND \(page)
      """)
    dead = try connection.prepare(
      "SELECT \(columns) FROM job INDEXED BY job_dead WHERE state = 6 AND \(page)")
    readyBlock = try connection.prepare(
      "SELECT block \(ready) AND batch = ?1 AND block <= ?2 ORDER BY block DESC LIMIT 1")
    readyInBlock = try connection.prepare(
      """
      SELECT \(columns) FROM job WHERE id IN
        (SELECT id \(ready) AND batch = ?1 AND block = ?2 AND id <= ?3 ORDER BY id DESC LIMIT ?4)
      ORDER BY id DESC
      """)
    linkBlock = try connection.prepare(
      "SELECT block \(linked) AND batch = ?1 AND block <= ?2 ORDER BY block DESC LIMIT 1")
    linksInBlock = try connection.prepare(
      """
      SELECT \(columns) FROM job WHERE id IN
        (SELECT id \(linked) AND batch = ?1 AND block = ?2 AND link BETWEEN ?5 AND ?6 AND id <= ?3
          ORDER BY id DESC LIMIT ?4)
      ORDER BY id DESC
      """)
    one = try connection.prepare("SELECT \(columns) FROM job WHERE id = ?1")
    failure = try connection.prepare("SELECT failure FROM result WHERE job = ?1")
    row = try connection.prepare("SELECT place, ordinal, failure, json FROM result WHERE job = ?1")
    batch = try connection.prepare(
      "SELECT \(BatchRow.columns), id FROM batch WHERE serial <= ?1 ORDER BY serial DESC LIMIT 1")
  }
}

/// When the oldest open jobs were submitted.
struct OldestStatements {
  /// The first batches with open jobs.
  let batches: Statement
  /// The first job of a batch in a state that is open and not ready.
  let inState: Statement
  /// The first ready job of a block.
  let ready: Statement

  init(_ connection: borrowing Connection) throws(SQLiteError) {
    batches = try connection.prepare(
      """
      SELECT \(BatchRow.columns), id FROM batch INDEXED BY batch_open WHERE \(Schema.hasOpenJobs)
      ORDER BY serial LIMIT ?1
      """)
    inState = try connection.prepare(
      """
      SELECT submitted_at FROM job INDEXED BY job_open
      WHERE state = ?3 AND \(Schema.isOpenElsewhere) AND id BETWEEN ?1 AND ?2 ORDER BY id LIMIT 1
      """)
    ready = try connection.prepare(
      """
      SELECT submitted_at FROM job WHERE id = (SELECT min(id) FROM job INDEXED BY job_ready WHERE state = 2 AND batch = ?1 AND block = ?2)
      """)
  }
}

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
