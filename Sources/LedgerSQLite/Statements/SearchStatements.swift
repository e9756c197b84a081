import Pipeline
import SQLite

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
  let one = SQL("SELECT \(StoredJob.columns) FROM job WHERE id = ?1")
  /// How a job ended, and its whole row.
  let failure = SQL("SELECT failure FROM result WHERE job = ?1")
  let row = SQL("SELECT place, ordinal, failure, json FROM result WHERE job = ?1")
  /// The last batch up to a serial number.
  let batch = SQL(
    "SELECT \(BatchRow.columns), id FROM batch WHERE serial <= ?1 ORDER BY serial DESC LIMIT 1")
}

/// When the oldest open jobs were submitted.
struct OldestSQL {
  /// The first batches with open jobs.
  let batches = SQL(
    """
    SELECT \(BatchRow.columns), id FROM batch INDEXED BY batch_open WHERE \(Schema.hasOpenJobs)
    ORDER BY serial LIMIT ?1
    """)
  /// The first job of a batch in a state that is open and not ready.
  let inState = SQL(
    """
    SELECT submitted_at FROM job INDEXED BY job_open
    WHERE state = ?3 AND \(Schema.isOpenElsewhere) AND id BETWEEN ?1 AND ?2 ORDER BY id LIMIT 1
    """)
  /// The first ready job of a block.
  let ready = SQL(
    """
    SELECT submitted_at FROM job WHERE id = (SELECT min(id) FROM job INDEXED BY job_ready WHERE state = 2 AND batch = ?1 AND block = ?2)
    """)
}

/// Terms of batches, and pauses.
struct SharingSQL {
  let setTerms = SQL(
    """
    UPDATE batch SET name = ?2, weight = ?3, at_most = ?4, per_hour = ?5, starts_at = ?6, deadline = ?7,
      paused_at = ?8, paused_for = ?9, paused_by = ?10, paused_why = ?11
    WHERE serial = ?1
    """)
  let unusual = SQL(
    """
    SELECT \(BatchRow.columns), id FROM batch
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
}
