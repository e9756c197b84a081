import Pipeline

/// What was committed last of the newest batches. Kept in memory, so that a question about one need not wait for
/// the commit that is under way.
struct NewestBatches: Sendable {
  /// More than any status shows.
  static let most = 64

  private struct Entry: Sendable {
    var serial: Int64
    var batch: LedgerSummary.Batch
  }

  /// The newest first.
  private var entries: [Entry] = []

  /// - Parameter rows: The newest first.
  init(_ rows: [(row: BatchRow, id: BatchID)]) {
    entries = rows.map { Entry(serial: $0.row.serial, batch: .init(id: $0.id, progress: $0.row.progress)) }
  }

  func first(_ limit: Int) -> [LedgerSummary.Batch] { entries.prefix(limit).map(\.batch) }

  /// - Parameter id: Known of those that are new.
  mutating func changed(_ row: BatchRow, id: BatchID?) {
    if let index = entries.firstIndex(where: { $0.serial == row.serial }) {
      entries[index].batch.progress = row.progress
    } else if let id, !id.isPassing, !id.isOfCalls, row.serial > entries.first?.serial ?? 0 {
      entries.insert(Entry(serial: row.serial, batch: .init(id: id, progress: row.progress)), at: 0)
      entries.removeLast(max(0, entries.count - Self.most))
    }
  }
}
