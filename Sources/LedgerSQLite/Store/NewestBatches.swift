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
  /// How many there are in all.
  private var count: Int

  /// - Parameter rows: The newest first.
  init(_ rows: [(row: BatchRow, id: BatchID)], of count: Int) {
    entries = rows.map { Entry(serial: $0.row.serial, batch: $0.row.counters.summary(id: $0.id)) }
    self.count = count
  }

  func summary(_ jobs: JobCounts) -> LedgerSummary {
    LedgerSummary(jobs: jobs, batches: entries.map(\.batch), otherBatches: max(0, count - entries.count))
  }

  /// - Parameter id: Known of those that are new.
  mutating func changed(_ row: BatchRow, id: BatchID?) {
    if let index = entries.firstIndex(where: { $0.serial == row.serial }) {
      entries[index].batch = row.counters.summary(id: entries[index].batch.id)
    } else if let id, !id.isPassing, !id.isOfCalls, row.serial > entries.first?.serial ?? 0 {
      entries.insert(Entry(serial: row.serial, batch: row.counters.summary(id: id)), at: 0)
      count += 1
      entries.removeLast(max(0, entries.count - Self.most))
    }
  }
}
