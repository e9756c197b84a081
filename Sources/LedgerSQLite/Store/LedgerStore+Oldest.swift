import Pipeline
import SQLite

/// How old the oldest open jobs are.
extension LedgerStore {
  /// Batches that are looked into. Those that came later hold younger jobs, so it is seldom more than a few.
  private static let mostBatches = 64

  /// No job is older than its batch, and in each batch the first job of a state is the oldest: ids ascend in the order
  /// of submission.
  func oldestJobs() throws(SQLiteError) -> [JobPhase: Moment] {
    guard counts.open > 0 else { return [:] }
    var oldest: [JobPhase: Moment] = [:]
    let batches = try statements[.oldest.batches].all(
      .integer(Int64(Self.mostBatches)), read: BatchRow.withID)
    for (batch, id) in try batches.sound("a batch cannot be read") {
      for phase in JobPhase.open {
        // The batch can have no older one.
        if let known = oldest[phase], batch.counters.firstSubmittedAt >= known { continue }
        let first = phase == .ready ? try firstReady(of: batch) : try first(phase, of: id)
        guard let moment = first.map({ Moment(unixMilliseconds: $0) }) else { continue }
        oldest[phase] = min(oldest[phase] ?? moment, moment)
      }
    }
    return oldest
  }

  private func first(_ phase: JobPhase, of batch: BatchID) throws(SQLiteError) -> Int64? {
    try statements[.oldest.inState].first(
      JobID(batch: batch, ordinal: 0).uuid.stored, JobID(batch: batch, ordinal: .max).uuid.stored,
      phase.stored
    ) { $0.integer(at: 0) } ?? nil
  }

  private func firstReady(of batch: BatchRow) throws(SQLiteError) -> Int64? {
    guard let block = try block(of: batch, from: 0) else { return nil }
    return try statements[.oldest.ready].first(.integer(batch.serial), .integer(block)) {
      $0.integer(at: 0)
    } ?? nil
  }
}
