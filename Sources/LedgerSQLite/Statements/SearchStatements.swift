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
}
