import Pipeline
import SQLite

/// When workers spoke last.
struct WorkerStatements {
  let sawAgain: Statement
  let sawFirst: Statement
  let dropUnseen: Statement
  let lastSeen: Statement

  init(_ connection: borrowing Connection) throws(SQLiteError) {
    sawAgain = try connection.prepare("UPDATE worker SET seen_at = ?2 WHERE id = ?1")
    sawFirst = try connection.prepare("INSERT INTO worker (id, seen_at) VALUES (?1, ?2)")
    let remembered =
      "(SELECT max(seen_at) - \(LedgerEvent.unseenWorkersKeptMilliseconds) FROM worker)"
    dropUnseen = try connection.prepare("DELETE FROM worker WHERE seen_at < \(remembered)")
    lastSeen = try connection.prepare("SELECT id, seen_at FROM worker WHERE seen_at >= \(remembered)")
  }
}
