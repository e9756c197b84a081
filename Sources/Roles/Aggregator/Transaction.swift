import Links
import Pipeline

/// What one turn of the aggregator's loop changes, and what may be said once that is committed.
struct Transaction {
  /// A change of a job, and what follows once the ledger has answered it.
  struct JobStep: Sendable {
    var change: JobChange
    var next = AfterJob.nothing
  }

  enum AfterJob: Sendable {
    case nothing
    /// A lease was granted: its job goes out only when the ledger agreed.
    case sends(Dispatcher.Assignment)
    /// A lease goes on.
    case resumes(Dispatcher.Resumption)
    /// A worker answered the job without holding it. The ledger says whether it is over.
    case drops
  }

  struct BatchStep: Sendable {
    let change: BatchChange
    /// The client's order that it carries out, whose reply is said once the ledger has answered it.
    var ask: Ask?
  }

  var submissions: [Submission] = []
  private(set) var jobs: [JobStep] = []
  private(set) var batches: [BatchStep] = []
  /// Workers that spoke.
  var seen: [WorkerID] = []
  var waits: [String: HostWait] = [:]
  /// Results that came, and whose: once it is committed they need not be sent again.
  var acknowledged: [(token: LeaseToken, worker: WorkerID)] = []
  /// Bytes of the rows of jobs that waited for another's.
  private(set) var waitersBytes = 0
  /// The order a page of which is in it.
  var swept: JobSweep?
  /// Jobs that end without a lease. They are ready in the ledger until it is committed.
  private(set) var endsOfReady: Set<JobID> = []
  /// Calls that are no longer needed, whatever else this turn says of their end.
  var forgotten: Set<JobID> = []
  /// Leases that workers shall drop, by worker.
  private(set) var cancelled: [WorkerID: [LeaseToken]] = [:]

  /// Answers for those who ask the same later.
  var answersToCache: [CachedAnswer] = []
  /// Results that only say that nothing has changed.
  var unchanged: [JobResult] = []
  /// Results of jobs that only the ledger has, if they are not over.
  var late: [JobResult] = []

  func changes(under term: LedgerTerm) -> Changes {
    var changes = Changes(under: term)
    changes.submissions = submissions.map(\.incoming)
    changes.jobs = jobs.map(\.change)
    changes.batches = batches.map(\.change)
    changes.seen = seen
    changes.waits = waits
    return changes
  }

  /// The jobs that are over with it.
  var settled: Set<JobID> {
    Set(jobs.compactMap(\.change.settlement?.job) + submissions.flatMap(\.incoming.ends).map(\.job))
  }

  mutating func add(_ job: JobID, _ event: JobChange.Event, then next: AfterJob = .nothing) {
    jobs.append(JobStep(change: JobChange(job, event), next: next))
  }

  mutating func end(_ settlement: Settlement, then next: AfterJob = .nothing) {
    if settlement.lease == nil { endsOfReady.insert(settlement.job) }
    jobs.append(JobStep(change: JobChange(settlement), next: next))
  }

  mutating func add(_ change: BatchChange, for ask: Ask? = nil) {
    batches.append(BatchStep(change: change, ask: ask))
  }

  mutating func add(_ assignment: Dispatcher.Assignment) {
    let order = assignment.order
    add(order.job.id, .granted(order.lease, to: assignment.fetcher), then: .sends(assignment))
  }

  /// A crash that was none is taken back first, and the attempt with it: it is the same one that goes on.
  mutating func add(_ resumption: Dispatcher.Resumption) {
    let id = resumption.job.id
    if let crashes = resumption.chargedCrashes { add(id, .absolved(from: crashes)) }
    add(id, .granted(resumption.lease, to: resumption.worker), then: .resumes(resumption))
  }

  mutating func add(waiters settlement: Settlement) {
    waitersBytes += settlement.row.count
    end(settlement)
  }

  /// What is asked for is on its way.
  func isChanging(for ask: Ask) -> Bool { batches.contains { $0.ask?.id == ask.id } }

  /// Takes out orders that have not begun and whose clients gave up.
  mutating func dropLate(at now: Moment) {
    batches.removeAll { $0.ask?.isLate(at: now) == true }
    // Memory has let go of what is cancelled, so that cannot be dropped any more.
    guard let sweep = swept, case .requeue = sweep.verb, !sweep.hasBegun,
      sweep.ask?.isLate(at: now) == true
    else { return }
    jobs.removeAll { if case .requeued = $0.change.event { true } else { false } }
    batches.removeAll { if case .resume = $0.change { true } else { false } }
    swept = nil
  }

  /// - Returns: Whether there were any.
  mutating func dropConfirmations() -> Bool {
    let count = batches.count
    batches.removeAll { if case .confirmRows = $0.change { true } else { false } }
    return batches.count < count
  }

  /// What has no receipt yet is submitted again.
  mutating func dropSubmissions() -> [Submission] {
    let dropped = submissions.filter { $0.submit != nil }
    submissions.removeAll { $0.submit != nil }
    return dropped
  }

  /// A user cancels something. What a ping leaves behind has time.
  var cancels: Bool {
    batches.contains { if case .cancel(let batch, _) = $0.change { !batch.isPassing } else { false } }
  }

  /// A call that failed is not a dead letter: it cannot be requeued without its run.
  mutating func endCall(at index: Int) {
    guard case .ended(var settlement) = jobs[index].change.event, settlement.end == .dead else { return }
    settlement.end = .cancelled
    jobs[index].change.event = .ended(settlement)
  }

  mutating func cancel(_ token: LeaseToken, at worker: WorkerID) {
    cancelled[worker, default: []].append(token)
  }
}

/// Jobs on their way into the ledger.
struct Submission: Sendable {
  /// What a producer sent; nil for calls of a run.
  var submit: Submit?
  var incoming: JobsIn
  /// Those that can be done.
  var jobs: [(job: Job, host: String, link: WebURL?)] = []
  /// What may be renewed of what is kept, by job.
  var known: [JobID: Validators] = [:]
  /// None of its jobs was in a message before.
  var goesOn = false
  /// Those that memory has before the ledger; nil when they wait for its answer.
  var admitted: [JobID]?
  /// Those that are left in the ledger, to be read when it is their turn.
  var left: [Job] = []

  /// Takes jobs out that need not be done, or not yet.
  mutating func leaveOut(_ findings: [JobID: Aggregator.CacheFinding]) {
    for item in exchange(&jobs, with: []) {
      switch findings[item.job.id] {
      case .answer: continue
      case .notRead: left.append(item.job)
      case .mayBeRenewed(let validators):
        known[item.job.id] = validators
        jobs.append(item)
      case nil: jobs.append(item)
      }
    }
  }
}
