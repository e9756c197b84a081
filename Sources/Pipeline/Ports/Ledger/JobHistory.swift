/// What the ledger keeps of a job, over or not.
public struct JobHistory: Sendable {
  public var job: Job
  public var life: JobLife
  /// The host that it waits for; empty when the submission did not say.
  public var host: String
  public var submittedAt: Moment
  /// When its last attempt began, and at which worker. nil before the first, and after one that was not charged. The
  /// worker is also nil after an attempt that is among the past ones.
  public var grantedAt: Moment?
  public var worker: WorkerID?
  /// nil while it is not over.
  public var endedAt: Moment?
  /// Why it failed or was cancelled, by its row.
  public var failure: FailureKind?

  public init(job: Job, state: JobState, host: String, submittedAt: Moment) {
    (self.job, life, self.host, self.submittedAt) = (job, state.life, host, submittedAt)
    (grantedAt, worker, endedAt) = (state.grantedAt, state.worker, state.endedAt)
    self.job.deadline = state.deadline
  }
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
  public var history: JobHistory
  /// The oldest first, at most `PastAttempt.mostKept`.
  public var attempts: [PastAttempt]
  /// nil while it is not over, and when it is no longer kept.
  public var row: [UInt8]?

  public init(history: JobHistory, attempts: [PastAttempt], row: [UInt8]?) {
    self.history = history
    self.attempts = attempts
    self.row = row
  }
}

/// When the oldest job of each state was submitted; nil where there is none.
public struct OldestJobs: Hashable, Sendable {
  public var waiting: Moment?
  public var ready: Moment?
  public var leased: Moment?
  public var scheduled: Moment?

  public init() {}
}
