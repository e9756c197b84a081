import Pipeline
import SQLite

/// Rows of all batches, one batch after another.
extension LedgerStore {
  private static let mostBatches = 100

  func storedRows(
    of batch: BatchID?, after place: RowPlace, limit: Int, bytes: Int
  ) throws(SQLiteError) -> StoredRows {
    var found = StoredRows()
    var (place, room) = (place, bytes)
    for _ in 0..<Self.mostBatches {
      guard let (row, id) = try shownBatch(batch, from: place.serial) else { return found }
      let after = row.serial == place.serial ? place.number : 0
      let rows = try rows(of: id, after: after, limit: limit - found.items.count, bytes: room)
      found.items += rows
      room -= rows.reduce(0) { $0 + $1.json.count }
      let last = row.counters.progress.rows
      let isThrough = (rows.last?.number ?? last) >= last
      place =
        isThrough
        ? RowPlace(serial: row.serial + 1, number: 0)
        : RowPlace(serial: row.serial, number: rows.last?.number ?? after)
      if found.items.count >= limit || room <= 0 { break }
    }
    found.next = place
    return found
  }

  private func shownBatch(
    _ batch: BatchID?, from serial: Int64
  ) throws(SQLiteError) -> (row: BatchRow, id: BatchID)? {
    try statements[.sizes.batch].all(.integer(serial), batch?.uuid.stored ?? .null, read: BatchRow.withID)
      .sound("a batch cannot be read").first
  }
}
