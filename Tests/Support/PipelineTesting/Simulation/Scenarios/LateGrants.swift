import Pipeline

/// Batches that are cancelled, and jobs of which a lease was granted since.
struct LateGrants: Sendable {
  private var commits = 0
  private var cancelledIn: [BatchID: Int] = [:]
  private var grantedIn: [JobID: Int] = [:]

  func isCancelled(_ batch: BatchID) -> Bool { cancelledIn[batch] != nil }

  /// Those of them that were granted in a later commit than the one that cancelled the batch.
  func late(_ jobs: [JobID], afterCancelOf batch: BatchID) -> [JobID] {
    guard let end = cancelledIn[batch] else { return [] }
    return jobs.filter { grantedIn[$0] ?? 0 > end }
  }

  mutating func note(_ events: [LedgerEvent], _ answers: [LedgerAnswer]) {
    commits += 1
    for (event, answer) in zip(events, answers) {
      switch event {
      case .cancel(let batch, let cancellation):
        if cancellation.everything, cancelledIn[batch] == nil { cancelledIn[batch] = commits }
      case .grant(let job, _, to: _): if answer == .applied { grantedIn[job] = commits }
      case .resume(let batch): if answer == .applied { cancelledIn[batch] = nil }
      case .submit, .close, .terms, .pause, .unpause, .abandon, .settle, .retry, .becameDue, .giveBack,
        .crash, .absolve, .confirmRows,
        .requeue, .seen:
        break
      }
    }
  }
}
