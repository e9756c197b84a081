import Pipeline

/// What one turn of the aggregator's loop changes, and what may be said once that is committed.
struct Turn {
  private(set) var events: [LedgerEvent] = []
  /// Grants by the index of their event: their jobs go out only when the ledger agreed.
  private(set) var grants: [Int: Dispatcher.Assignment] = [:]
  /// Jobs that somebody answered who does not hold them, by the index of their event: whether they are over, the
  /// ledger says.
  private(set) var lateAnswers: [Int: JobID] = [:]
  /// Submissions by the index of their event, whose receipts tell how many jobs were new.
  private(set) var submissions: [Int: Submit] = [:]
  /// Leases that workers shall drop, by worker.
  private(set) var cancelled: [WorkerID: [LeaseToken]] = [:]

  mutating func add(_ event: LedgerEvent) {
    events.append(event)
  }

  mutating func add(_ assignment: Dispatcher.Assignment) {
    grants[events.count] = assignment
    events.append(.grant(assignment.order.job.id, assignment.order.lease, to: assignment.fetcher))
  }

  mutating func add(lateAnswer settlement: Settlement) {
    lateAnswers[events.count] = settlement.job
    events.append(.settle(settlement))
  }

  mutating func add(_ submit: Submit) {
    submissions[events.count] = submit
    events.append(.submit(submit.jobs))
  }

  /// The first try can have been committed although it seemed to fail. Then the ledger finds its grants stale, which
  /// are ours all the same; a job that is over indeed is done once more, and its late answer changes nothing.
  func answers(afterRepeating answers: [LedgerAnswer]) -> [LedgerAnswer] {
    answers.enumerated().map { grants[$0.offset] == nil ? $0.element : .applied }
  }

  mutating func cancel(_ token: LeaseToken, at worker: WorkerID) {
    cancelled[worker, default: []].append(token)
  }
}
