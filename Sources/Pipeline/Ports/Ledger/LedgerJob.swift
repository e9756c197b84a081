/// A job as the ledger has it, over or not.
public struct LedgerJob: Sendable {
  /// Its deadline is what is left of it: a job that is over has none.
  public private(set) var job: Job
  public var state: JobState {
    // To write it copies a job that others have too.
    didSet { if job.deadline != state.deadline { job.deadline = state.deadline } }
  }
  /// The host that it waits for; empty when the submission did not say.
  public var host: String
  public var submittedAt: Moment
  /// Why it failed or was cancelled, by its row.
  public var failure: FailureKind?

  public init(_ job: Job, _ state: JobState, host: String, submittedAt: Moment) {
    (self.job, self.state, self.host, self.submittedAt) = (job, state, host, submittedAt)
    if job.deadline != state.deadline { self.job.deadline = state.deadline }
  }

  /// One that came in.
  public init(_ job: Job, life: JobLife, host: String = "", at now: Moment) {
    self.init(job, JobState(life, deadline: job.deadline), host: host, submittedAt: now)
  }

  public var id: JobID { job.id }
  public var life: JobLife { state.life }
  public var phase: JobPhase { JobPhase(life.state) }
}

/// An attempt that was not the last.
public struct PastAttempt: Hashable, Sendable {
  /// Attempts that a job keeps, the last ones.
  public static let mostKept = 10

  public var attempt: UInt16
  public var grantedAt: Moment?
  public var worker: WorkerID?
  public var endedAt: Moment
  /// nil when its worker died.
  public var failure: Failure?
  /// When the next attempt was due; nil for at once.
  public var nextAt: Moment?

  public init(attempt: UInt16, endedAt: Moment, failure: Failure?) {
    self.attempt = attempt
    self.endedAt = endedAt
    self.failure = failure
  }
}

/// All that the ledger knows of one job.
public struct JobStory: Sendable {
  public var history: LedgerJob
  /// The oldest first, at most `PastAttempt.mostKept`.
  public var attempts: [PastAttempt]
  /// nil while it is not over, and when it is no longer kept.
  public var row: NumberedRow?

  public init(history: LedgerJob, attempts: [PastAttempt] = [], row: NumberedRow? = nil) {
    self.history = history
    self.attempts = attempts
    self.row = row
  }

  /// What else a change of its state makes of it.
  public mutating func take(_ effect: JobState.Effect) {
    switch effect {
    case .nothing: break
    case .attempted(let attempt):
      attempts.removeAll { $0.attempt == attempt.attempt }
      attempts.append(attempt)
      attempts.sort { $0.attempt < $1.attempt }
      attempts.removeFirst(max(0, attempts.count - PastAttempt.mostKept))
    case .forgetsDeath:
      if let death = attempts.lastIndex(where: { $0.failure == nil }) { attempts.remove(at: death) }
    case .over(let settlement): history.failure = settlement.failure
    case .anew: (attempts, row, history.failure) = ([], nil, nil)
    }
  }
}
