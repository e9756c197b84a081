import Pipeline

/// Submitted jobs on their way into the ledger.
struct Submission: Sendable {
  typealias Candidate = (job: Job, host: String)

  var submit: Submit
  /// Those that can be done.
  var jobs: [Candidate]
  /// What may be renewed of what is kept, by job.
  var known: [JobID: Validators] = [:]
  /// Those that are left in the ledger, to be read when it is their turn.
  var left: [Job] = []
  /// The event that closes the batch; nil when more may come.
  var closing: Int?
  /// Runs of it that were cancelled in the very turn in which they came, and why.
  var cancelledRuns: [JobID: String] = [:]
}

/// A client or producer wants to cancel a batch.
struct CancelWish: Sendable {
  var batch: BatchID
  var cancellation: BatchCancellation
  /// Who is answered; nil for a producer, which hears of each job.
  var query: Query?

  init(batch: BatchID, _ cancellation: BatchCancellation, _ query: Query? = nil) {
    (self.batch, self.cancellation, self.query) = (batch, cancellation, query)
  }
}

/// What one turn of the aggregator's loop changes, and what may be said once that is committed.
struct Turn {
  private(set) var events: [LedgerEvent] = []
  /// Bytes of rows that are copies of another job's.
  private(set) var copiedBytes = 0
  /// Grants by the index of their event: their jobs go out only when the ledger agreed.
  private(set) var grants: [Int: Dispatcher.Assignment] = [:]
  /// Leases that go on, by the index of their event.
  private(set) var resumptions: [Int: Dispatcher.Resumption] = [:]
  /// Jobs that a worker answered without holding them, by the index of their event. The ledger says whether they are
  /// over.
  private(set) var lateAnswers: [Int: JobID] = [:]
  /// Submissions by the index of their event: how many of their jobs were new, the ledger says.
  private(set) var submissions: [Int: Submission] = [:]
  /// Batches to be cancelled, by the index of their event.
  private(set) var cancels: [Int: CancelWish] = [:]
  private(set) var requeued: RequeuedPage?
  /// Calls of runs by the index of their event.
  private(set) var calls: [Int: [Submission.Candidate]] = [:]
  /// Calls that are no longer needed, whatever else this turn says of their end.
  private var forgotten: Set<JobID> = []
  /// Leases that workers shall drop, by worker.
  private(set) var cancelled: [WorkerID: [LeaseToken]] = [:]

  /// Answers for those who ask the same later.
  var kept: [KeptAnswer] = []
  /// Results that only say that nothing has changed.
  var unchanged: [JobResult] = []

  mutating func add(_ event: LedgerEvent) {
    events.append(event)
  }

  mutating func add(_ assignment: Dispatcher.Assignment) {
    grants[events.count] = assignment
    events.append(.grant(assignment.order.job.id, assignment.order.lease, to: assignment.fetcher))
  }

  /// A crash that was none is taken back first, and the attempt with it: it is the same one that goes on.
  mutating func add(_ resumption: Dispatcher.Resumption) {
    if let crashes = resumption.chargedCrashes { events.append(.absolve(resumption.job.id, from: crashes)) }
    resumptions[events.count] = resumption
    events.append(.grant(resumption.job.id, resumption.lease, to: resumption.worker))
  }

  mutating func add(copy settlement: Settlement) {
    copiedBytes += settlement.row.count
    events.append(.settle(settlement))
  }

  mutating func add(lateAnswer settlement: Settlement) {
    lateAnswers[events.count] = settlement.job
    events.append(.settle(settlement))
  }

  /// - Parameter ends: Jobs of it that are over as they come.
  mutating func add(_ submit: Submit, _ jobs: [Submission.Candidate], ended ends: [Settlement]) {
    let index = events.count
    submissions[index] = Submission(submit: submit, jobs: jobs)
    events.append(
      .submit(submit.jobs, hosts: Self.hosts(of: submit.jobs, from: jobs), from: submit.replyTo))
    for var end in ends {
      end.sender = submit.replyTo
      events.append(.settle(end))
    }
    guard let total = submit.total else { return }
    submissions[index]?.closing = events.count
    events.append(.close(submit.batch, total: total, from: submit.replyTo))
  }

  mutating func add(_ wish: CancelWish) {
    cancels[events.count] = wish
    events.append(.cancel(wish.batch, wish.cancellation))
  }

  func isCancelling(for query: Query) -> Bool { cancels.values.contains { $0.query == query } }

  /// Dead letters of one batch that get another life.
  struct RequeuedPage {
    var events: Range<Int>
    var last: JobID?
    var isLast: Bool
    /// The first page of its batch.
    var isFirst: Bool
  }

  /// - Parameter batch: One whose cancellation ends with its first page.
  mutating func add(requeueOf page: [JobID], resuming batch: BatchID?) {
    if let batch { events.append(.resume(batch)) }
    let first = events.count
    for job in page { events.append(.requeue(job)) }
    requeued = RequeuedPage(
      events: first..<events.count, last: page.last, isLast: page.count < Backlog.page, isFirst: batch != nil)
  }

  /// Takes out what is no longer needed and not begun: its events become such that change nothing.
  ///
  /// - Parameter requeueIsLate: Likewise of what is requeued.
  mutating func dropLate(at now: Moment, requeueIsLate: Bool) {
    for (index, wish) in cancels where wish.query?.isLate(at: now) == true {
      events[index] = .submit([])
      if events.indices.contains(index + 1), case .abandon(wish.batch) = events[index + 1] {
        events[index + 1] = .submit([])
      }
      cancels[index] = nil
    }
    guard let page = requeued, page.isFirst, requeueIsLate else { return }
    for index in (page.events.lowerBound - 1)..<page.events.upperBound { events[index] = .submit([]) }
    requeued = nil
  }

  /// The candidates are in the order of the jobs; jobs that are none of them have no host.
  private static func hosts(of jobs: [Job], from candidates: [Submission.Candidate]) -> [String] {
    if jobs.count == candidates.count { return candidates.map(\.host) }
    var rest = candidates[...]
    return jobs.map { job in
      guard let next = rest.first, next.job.id == job.id else { return "" }
      rest.removeFirst()
      return next.host
    }
  }

  /// - Parameter candidates: Those of them that can be made.
  mutating func add(calls: [Job], _ candidates: [Submission.Candidate]) {
    self.calls[events.count] = candidates
    events.append(.submit(calls, hosts: Self.hosts(of: calls, from: candidates)))
  }

  mutating func forgets(_ call: JobID) {
    forgotten.insert(call)
  }

  func hasForgotten(_ call: JobID) -> Bool { forgotten.contains(call) }

  /// A call that failed is not a dead letter: it cannot be requeued without its run.
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
          submission.left.append(job)
          return true
        }
      }
      return submission
    }
  }
}
