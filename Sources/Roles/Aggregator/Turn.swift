import Pipeline

/// Jobs that somebody submitted, on their way into the ledger.
struct Submission: Sendable {
  typealias Candidate = (job: Job, host: String)

  var submit: Submit
  /// Those that can be done.
  var jobs: [Candidate]
}

/// What one turn of the aggregator's loop changes, and what may be said once that is committed.
struct Turn {
  private(set) var events: [LedgerEvent] = []
  /// Bytes of rows that are copies of another job's.
  private(set) var copiedBytes = 0
  /// Grants by the index of their event: their jobs go out only when the ledger agreed.
  private(set) var grants: [Int: Dispatcher.Assignment] = [:]
  /// Jobs that somebody answered who does not hold them, by the index of their event: whether they are over, the
  /// ledger says.
  private(set) var lateAnswers: [Int: JobID] = [:]
  /// Submissions by the index of their event: how many of their jobs were new, the ledger says.
  private(set) var submissions: [Int: Submission] = [:]
  /// Leases that workers shall drop, by worker.
  private(set) var cancelled: [WorkerID: [LeaseToken]] = [:]

  /// What is answered once the turn is committed.
  var questions: [Query] = []

  mutating func add(_ event: LedgerEvent) {
    events.append(event)
  }

  mutating func add(_ assignment: Dispatcher.Assignment) {
    grants[events.count] = assignment
    events.append(.grant(assignment.order.job.id, assignment.order.lease, to: assignment.fetcher))
  }

  mutating func add(copy settlement: Settlement) {
    copiedBytes += settlement.row.count
    events.append(.settle(settlement))
  }

  mutating func add(lateAnswer settlement: Settlement) {
    lateAnswers[events.count] = settlement.job
    events.append(.settle(settlement))
  }

  mutating func add(_ submit: Submit, _ jobs: [Submission.Candidate]) {
    submissions[events.count] = Submission(submit: submit, jobs: jobs)
    events.append(.submit(submit.jobs))
  }

  mutating func cancel(_ token: LeaseToken, at worker: WorkerID) {
    cancelled[worker, default: []].append(token)
  }
}
