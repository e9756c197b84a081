import Pipeline

/// What was committed last of the newest batches. Kept in memory, so that a question about one need not wait for
/// the commit that is under way.
struct NewestBatches: Sendable {
  /// More than any status shows.
  static let most = 64

  /// The newest first.
  private var batches: [LedgerSummary.Batch]
  /// How many there are in all.
  private var count: Int

  /// - Parameter batches: The newest first.
  init(_ batches: [LedgerSummary.Batch], of count: Int) {
    (self.batches, self.count) = (batches, count)
  }

  func summary(_ jobs: JobCounts) -> LedgerSummary {
    LedgerSummary(jobs: jobs, batches: batches, otherBatches: max(0, count - batches.count))
  }

  /// - Parameter id: Known of those that are new.
  mutating func changed(_ row: BatchRow, id: BatchID?) {
    if let index = batches.firstIndex(where: { $0.serial == row.serial }) {
      batches[index] = row.counters.summary(id: batches[index].id)
    } else if let id, id.isShown, row.serial > batches.first?.serial ?? 0 {
      batches.insert(row.counters.summary(id: id), at: 0)
      count += 1
      batches.removeLast(max(0, batches.count - Self.most))
    }
  }
}
