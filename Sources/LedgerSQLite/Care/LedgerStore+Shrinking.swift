import Pipeline
import SQLite

/// Gives the room of deleted data back to the disk.
extension LedgerStore {
  func shrink(bytes: Int64) throws(SQLiteError) -> FileStep {
    let page = try connection.integer("PRAGMA page_size") ?? 0
    let free = try connection.integer("PRAGMA freelist_count") ?? 0
    if free > 0, page > 0 {
      try connection.execute("PRAGMA incremental_vacuum(\(max(1, bytes / page)))")
    }
    let left = try connection.integer("PRAGMA freelist_count") ?? 0
    // The file becomes shorter when the log is put in its place.
    if left == 0 { try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
    return FileStep(bytes: (free - left) * page, total: left * page)
  }
}

/// What the file takes, and for what.
extension LedgerStore {
  func size() throws(SQLiteError) -> LedgerSize {
    let bytes = try connection.integer("PRAGMA page_size") ?? 0
    let pages = try connection.integer("PRAGMA page_count") ?? 0
    let free = try connection.integer("PRAGMA freelist_count") ?? 0
    var size = LedgerSize(
      parts: [
        .data: (pages - free) * bytes, .free: free * bytes, .log: connection.logBytes,
        .reserve: reserve.bytes,
      ], jobs: summary.jobs)
    let totals = try statements[.batches.totals].first { row in (0..<6).map { row.integer(at: $0) } } ?? []
    let counts = totals.prefix(5).map { UInt64(clamping: $0 ?? 0) }
    guard counts.count == 5 else { return size }
    (size.batches, size.done, size.cancelled) = (counts[0], counts[1], counts[2])
    (size.forgettable, size.forgettableRead) = (counts[3], counts[4])
    size.oldest = totals[5].map { Moment(unixMilliseconds: $0) }
    return size
  }
}
