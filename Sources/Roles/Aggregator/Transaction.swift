import Pipeline
import Scheduling

/// What one turn of the aggregator's loop changes, and what may be said once that is committed.
struct Transaction {
  /// An event, and what follows once the ledger has answered it.
  struct Step: Sendable {
    var event: LedgerEvent
    var next = AfterCommit.nothing

    /// The client's wish that it fulfils.
    fileprivate var query: Query? {
      switch next {
      case .cancels(let wish): wish.query
      case .pauses(let query, _, isPaused: _), .changes(let query, _): query
      case .nothing, .sends, .resumes, .drops, .accepts, .makes, .endsPause: nil
      }
    }
  }

  enum AfterCommit: Sendable {
    case nothing
    /// A lease was granted: its job goes out only when the ledger agreed.
    case sends(Dispatcher.Assignment)
    /// A lease goes on.
    case resumes(Dispatcher.Resumption)
    /// A worker answered the job without holding it. The ledger says whether it is over.
    case drops(JobID)
    /// How many of the submission's jobs were new, the ledger says.
    case accepts(Submission)
    /// A batch is to be cancelled.
    case cancels(CancelWish)
    /// Something is to be paused, or to go on.
    case pauses(Query, PauseScope, isPaused: Bool)
    /// The time of a pause is over.
    case endsPause(PauseScope)
    /// A batch gets other terms.
    case changes(Query, BatchID)
    /// Calls of runs.
    case makes([Submission.Candidate])
  }

  private(set) var steps: [Step] = []
  /// Bytes of the rows of jobs that waited for another's.
  private(set) var waitersBytes = 0
  /// The steps of each submission, in their order; the first says what it brings.
  private var submitting: [Range<Int>] = []
  var swept: SweptPage?
  /// Calls that are no longer needed, whatever else this turn says of their end.
  private var forgotten: Set<JobID> = []
  /// Leases that workers shall drop, by worker.
  private(set) var cancelled: [WorkerID: [LeaseToken]] = [:]

  /// Answers for those who ask the same later.
  var answersToCache: [CachedAnswer] = []
  /// Results that only say that nothing has changed.
  var unchanged: [JobResult] = []
  /// Results of jobs that only the ledger has, if they are not over.
  var late: [JobResult] = []

  var events: [LedgerEvent] { steps.map(\.event) }

  var submissions: [Submission] {
    submitting.compactMap {
      if case .accepts(let submission) = steps[$0.lowerBound].next { submission } else { nil }
    }
  }

  /// The jobs that are over with it.
  var settled: Set<JobID> {
    Set(steps.compactMap { if case .settle(let settlement) = $0.event { settlement.job } else { nil } })
  }

  mutating func add(_ event: LedgerEvent, then next: AfterCommit = .nothing) {
    steps.append(Step(event: event, next: next))
  }

  mutating func add(_ assignment: Dispatcher.Assignment) {
    add(
      .grant(assignment.order.job.id, assignment.order.lease, to: assignment.fetcher),
      then: .sends(assignment))
  }

  /// A crash that was none is taken back first, and the attempt with it: it is the same one that goes on.
  mutating func add(_ resumption: Dispatcher.Resumption) {
    if let crashes = resumption.chargedCrashes { add(.absolve(resumption.job.id, from: crashes)) }
    add(.grant(resumption.job.id, resumption.lease, to: resumption.worker), then: .resumes(resumption))
  }

  mutating func add(waiters settlement: Settlement) {
    waitersBytes += settlement.row.count
    add(.settle(settlement))
  }

  mutating func add(lateAnswer settlement: Settlement) {
    add(.settle(settlement), then: .drops(settlement.job))
  }

  /// - Parameter ends: Jobs of it that are over as they come.
  mutating func add(_ submit: Submit, _ jobs: [Submission.Candidate], ended ends: [Settlement]) {
    var submission = Submission(submit: submit, jobs: jobs)
    // Also without terms of its own: what the batch had from before counts again.
    let terms = submit.terms ?? (submit.sequence == 0 ? BatchTerms() : nil)
    if submit.total != nil { submission.closing = steps.count + 1 + ends.count }
    let first = steps.count
    defer { submitting.append(first..<steps.count) }
    add(
      .submit(
        submit.jobs, hosts: Self.places(of: submit.jobs, from: jobs, or: "") { $0.host },
        links: Self.places(of: submit.jobs, from: jobs, or: nil) { $0.link }, from: submit.replyTo),
      then: .accepts(submission))
    for var end in ends {
      end.sender = submit.replyTo
      add(.settle(end))
    }
    if let total = submit.total { add(.close(submit.batch, total: total, from: submit.replyTo)) }
    if let terms { add(.terms(submit.batch, terms, from: submit.replyTo, total: submit.total)) }
  }

  mutating func add(_ wish: CancelWish) {
    add(.cancel(wish.batch, wish.cancellation), then: .cancels(wish))
  }

  mutating func add(_ query: Query, pausing scope: PauseScope, _ pause: Pause?) {
    let event = pause.map { LedgerEvent.pause(scope, $0) } ?? .unpause(scope)
    add(event, then: .pauses(query, scope, isPaused: pause != nil))
  }

  /// What the query wants is on its way.
  func isChanging(for query: Query) -> Bool { steps.contains { $0.query == query } }

  /// A page of an order about many jobs.
  struct SweptPage {
    /// As it goes on after this page.
    var sweep: JobSweep
    var jobs: Int
    /// Batches whose cancellation ends with it.
    var resumed: [BatchID] = []
    /// What can be dropped of it while it is not committed.
    var steps = 0..<0
  }

  /// - Parameter batches: Those whose cancellation ends.
  mutating func add(requeueOf jobs: [JobID], resuming batches: [BatchID], _ sweep: JobSweep) {
    let first = steps.count
    for batch in batches { add(.resume(batch)) }
    for job in jobs { add(.requeue(job)) }
    swept = SweptPage(sweep: sweep, jobs: jobs.count, resumed: batches, steps: first..<steps.count)
  }

  /// Takes out what is no longer needed and not begun: its events become such that change nothing.
  mutating func dropLate(at now: Moment) {
    for index in steps.indices {
      let step = steps[index]
      guard step.query?.isLate(at: now) == true else { continue }
      steps[index] = Self.noChange
      guard case .cancels(let wish) = step.next else { continue }
      if steps.indices.contains(index + 1), case .abandon(wish.batch) = steps[index + 1].event {
        steps[index + 1] = Self.noChange
      }
    }
    guard let page = swept, !page.steps.isEmpty, !page.sweep.hasBegun, page.sweep.query.isLate(at: now) else {
      return
    }
    for index in page.steps { steps[index] = Self.noChange }
    swept = nil
  }

  /// - Returns: Whether there were any.
  mutating func dropConfirmations() -> Bool {
    var found = false
    for index in steps.indices {
      guard case .confirmRows = steps[index].event else { continue }
      steps[index] = Self.noChange
      found = true
    }
    return found
  }

  /// What has no receipt yet is submitted again. Tells whether there was any.
  mutating func dropSubmissions() -> Bool {
    defer { submitting = [] }
    for index in submitting.joined() { steps[index] = Self.noChange }
    return !submitting.isEmpty
  }

  /// A client cancels something.
  var cancels: Bool {
    steps.contains { step in
      if case .cancels = step.next { return true }
      return false
    }
  }

  private static let noChange = Step(event: .submit([]))

  /// The candidates are in the order of the jobs; jobs that are none of them have no host and no link.
  private static func places<Place>(
    of jobs: [Job], from candidates: [Submission.Candidate], or none: Place,
    _ place: (Submission.Candidate) -> Place
  ) -> [Place] {
    if jobs.count == candidates.count { return candidates.map(place) }
    var rest = candidates[...]
    return jobs.map { job in
      guard let next = rest.first, next.job.id == job.id else { return none }
      rest.removeFirst()
      return place(next)
    }
  }

  /// - Parameter candidates: Those of them that can be made.
  mutating func add(calls: [Job], _ candidates: [Submission.Candidate]) {
    add(
      .submit(calls, hosts: Self.places(of: calls, from: candidates, or: "") { $0.host }),
      then: .makes(candidates))
  }

  mutating func forgets(_ call: JobID) {
    forgotten.insert(call)
  }

  func hasForgotten(_ call: JobID) -> Bool { forgotten.contains(call) }

  /// A call that failed is not a dead letter: it cannot be requeued without its run.
  mutating func endCall(at index: Int) {
    guard case .settle(var settlement) = steps[index].event, settlement.end == .dead else { return }
    settlement.end = .cancelled
    steps[index].event = .settle(settlement)
  }

  mutating func cancel(_ token: LeaseToken, at worker: WorkerID) {
    cancelled[worker, default: []].append(token)
  }

  /// A job that was submitted in this transaction, and is not to be done after all.
  mutating func takeOut(_ id: JobID) -> Job? {
    firstSubmission { submission in
      submission.jobs.firstIndex { $0.job.id == id }.map { submission.jobs.remove(at: $0).job }
    }
  }

  /// - Returns: Whether a run of that id was submitted in this transaction.
  mutating func cancelRun(_ id: JobID, cause: String) -> Bool {
    firstSubmission { submission in
      guard submission.submit.jobs.contains(where: { $0.kind == .run && $0.id == id }) else { return nil }
      submission.cancelledRuns[id] = cause
      return true
    } ?? false
  }

  /// Changes the first submission for which `change` has an answer, and returns that.
  private mutating func firstSubmission<Answer>(_ change: (inout Submission) -> Answer?) -> Answer? {
    for index in submitting.map(\.lowerBound) {
      guard case .accepts(var submission) = steps[index].next else { continue }
      if let answer = change(&submission) {
        steps[index].next = .accepts(submission)
        return answer
      }
    }
    return nil
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
    for index in submitting.map(\.lowerBound) {
      guard case .accepts(var submission) = steps[index].next else { continue }
      submission.jobs.removeAll { job, _, _ in
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
      steps[index].next = .accepts(submission)
    }
  }
}
