import Pipeline

/// Jobs that somebody submitted, on their way into the ledger.
struct Submission: Sendable {
  typealias Candidate = (job: Job, host: String)

  var submit: Submit
  /// Those that can be done.
  var jobs: [Candidate]
  /// What may be renewed of what is kept, by job.
  var known: [JobID: Validators] = [:]
  /// Some are left in the ledger, to be read when it is their turn.
  var leavesSome = false
  /// Runs of it that were cancelled in the very turn in which they came, and why.
  var cancelledRuns: [JobID: String] = [:]
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
  /// Calls of runs by the index of their event.
  private(set) var calls: [Int: [Submission.Candidate]] = [:]
  /// Calls that nobody waits for any more, whatever else this turn says of their end.
  private var forgotten: Set<JobID> = []
  /// Leases that workers shall drop, by worker.
  private(set) var cancelled: [WorkerID: [LeaseToken]] = [:]

  /// Answers for those who ask the same later.
  var kept: [KeptAnswer] = []
  /// Results that only say that nothing has changed.
  var unchanged: [JobResult] = []
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

  /// - Parameter candidates: Those of them that can be made.
  mutating func add(calls: [Job], _ candidates: [Submission.Candidate]) {
    self.calls[events.count] = candidates
    events.append(.submit(calls))
  }

  mutating func forgets(_ call: JobID) {
    forgotten.insert(call)
  }

  func hasForgotten(_ call: JobID) -> Bool { forgotten.contains(call) }

  /// A call that failed is no dead letter: nobody gives it another life by itself.
  mutating func endCall(at index: Int) {
    guard case .settle(var settlement) = events[index], settlement.end == .dead else { return }
    settlement.end = .cancelled
    events[index] = .settle(settlement)
  }

  mutating func cancel(_ token: LeaseToken, at worker: WorkerID) {
    cancelled[worker, default: []].append(token)
  }

  /// A job that was submitted in this turn, and is not to be done after all.
  mutating func takeOut(_ id: JobID) -> Job? {
    for (index, submission) in submissions {
      guard let place = submission.jobs.firstIndex(where: { $0.job.id == id }) else { continue }
      return submissions[index]?.jobs.remove(at: place).job
    }
    return nil
  }

  /// - Returns: Whether a run of that id was submitted in this turn.
  mutating func cancelRun(_ id: JobID, cause: String) -> Bool {
    for (index, submission) in submissions
    where submission.submit.jobs.contains(where: { $0.kind == .run && $0.id == id }) {
      submissions[index]?.cancelledRuns[id] = cause
      return true
    }
    return false
  }

  /// What is kept for a job of a submission.
  enum Standing {
    case isNew
    case isKnown(Validators)
    case isOver
    case isLeft
  }

  /// Takes jobs out of submissions that need not be done, or not yet.
  mutating func leaveOut(_ standing: (JobID) -> Standing) {
    submissions = submissions.mapValues { submission in
      var submission = submission
      submission.jobs.removeAll { job, _ in
        switch standing(job.id) {
        case .isNew: return false
        case .isKnown(let known):
          submission.known[job.id] = known
          return false
        case .isOver: return true
        case .isLeft:
          submission.leavesSome = true
          return true
        }
      }
      return submission
    }
  }
}
