import Pipeline
import SQLite

/// How old the oldest open jobs are.
extension LedgerStore {
  /// Batches that are looked into. Those that came later hold younger jobs, so it is seldom more than a few.
  private static let mostBatches = 64

  /// No job is older than its batch, and in each batch the first job of a state is the oldest: ids ascend in the order
  /// of submission.
  func oldestJobs() throws(SQLiteError) -> [JobPhase: Moment] {
    guard summary.jobs.open > 0 else { return [:] }
    var oldest: [JobPhase: Moment] = [:]
    for batch in try batches(by: SQL.batches.open, .integer(Int64(Self.mostBatches))) {
      for phase in JobPhase.open {
        // The batch can have no older one.
        if let known = oldest[phase], batch.firstSubmittedAt >= known { continue }
        guard let moment = try first(phase, of: batch) else { continue }
        oldest[phase] = min(oldest[phase] ?? moment, moment)
      }
    }
    return oldest
  }

  private func first(_ phase: JobPhase, of batch: LedgerBatch) throws(SQLiteError) -> Moment? {
    let query = JobQuery(.of(batch.id), limit: 1)
    let found =
      phase == .ready
      ? try jobs(try readyIDs(of: batch.id, query)) : try read(SQL.selections.inState, query, phase.stored)
    return found.first.flatMap { $0.job.batch == batch.id ? $0.submittedAt : nil }
  }
}
