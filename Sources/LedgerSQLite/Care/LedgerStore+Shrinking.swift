import Pipeline
import SQLite

/// Gives the room of deleted data back to the disk.
extension LedgerStore {
  func shrink(bytes: Int64) throws(SQLiteError) -> ShrinkingStep {
    let page = try connection.integer("PRAGMA page_size") ?? 0
    let free = try connection.integer("PRAGMA freelist_count") ?? 0
    if free > 0, page > 0 {
      try connection.execute("PRAGMA incremental_vacuum(\(max(1, bytes / page)))")
    }
    let left = try connection.integer("PRAGMA freelist_count") ?? 0
    // The file becomes shorter when the log is put in its place.
    if left == 0 { try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
    return ShrinkingStep(released: (free - left) * page, left: left * page)
  }
}
