import Pipeline
import SQLite

/// How old the oldest open jobs are.
extension LedgerStore {
  /// Batches that are looked into. Those that came later hold younger jobs, so it is seldom more than a few.
  private static let mostBatches = 64

  /// No job is older than its batch, and in each batch the first job of a state is the oldest: ids ascend in the order
  /// of submission.
  func oldestJobs() throws(SQLiteError) -> OldestJobs {
    var oldest = OldestJobs()
    guard counts.open > 0 else { return oldest }
    let batches = try statements[.oldest.batches].all(
      .integer(Int64(Self.mostBatches)), read: BatchRow.withID)
    for (batch, id) in try batches.sound("a batch cannot be read") {
      /// Whether the batch can have an older one.
      func isOpen(_ count: Int, _ known: Moment?) -> Bool {
        guard count > 0 else { return false }
        return known.map { batch.counters.firstSubmittedAt < $0 } ?? true
      }
      if isOpen(counts.waiting, oldest.waiting) { try note(.waiting, of: id, &oldest.waiting) }
      if isOpen(counts.leased, oldest.leased) { try note(.leased, of: id, &oldest.leased) }
      if isOpen(counts.scheduled, oldest.scheduled) { try note(.scheduled, of: id, &oldest.scheduled) }
      if isOpen(counts.ready, oldest.ready) { try noteReady(of: batch, &oldest.ready) }
    }
    return oldest
  }

  private func note(_ state: JobPhase, of batch: BatchID, _ oldest: inout Moment?) throws(SQLiteError) {
    let first = try statements[.oldest.inState].first(
      JobID(batch: batch, ordinal: 0).uuid.stored, JobID(batch: batch, ordinal: .max).uuid.stored,
      state.stored
    ) { $0.integer(at: 0) }
    Self.note(first ?? nil, &oldest)
  }

  private func noteReady(of batch: BatchRow, _ oldest: inout Moment?) throws(SQLiteError) {
    let serial = Value.integer(batch.serial)
    let block = try statements[.selections.readyBlock].first(serial, .integer(0)) { $0.integer(at: 0) } ?? nil
    guard let block else { return }
    let first = try statements[.oldest.ready].first(serial, .integer(block)) { $0.integer(at: 0) }
    Self.note(first ?? nil, &oldest)
  }

  private static func note(_ milliseconds: Int64?, _ oldest: inout Moment?) {
    guard let moment = milliseconds.map({ Moment(unixMilliseconds: $0) }) else { return }
    oldest = min(oldest ?? moment, moment)
  }
}
