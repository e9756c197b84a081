/// Something that happens to the ledger. Each is one guarded change: it applies, or it came too late.
public enum LedgerEvent: Sendable {
  /// Inserts the jobs that are not known yet, ready to be dispatched. When one that is known asks for something else,
  /// nothing is inserted or changed, and whatever else the same sender wants in this commit is not done either.
  ///
  /// `hosts` holds the host that each waits for, so that ready jobs can be found by it, and `links` the keys of their
  /// links; jobs beyond their ends have none.
  case submit([Job], hosts: [String] = [], links: [LinkKey?] = [], from: Address? = nil)
  /// The batch has this many jobs in all; stale when the ledger holds more of it.
  case close(BatchID, total: UInt64, from: Address? = nil)
  /// The batch has these terms, as far as they say something; stale when it is unknown. Those of a producer count only if the
  /// batch has as many jobs in all as it says: none is said, and none is known, while there may be more.
  case terms(BatchID, BatchTerms, from: Address? = nil, total: UInt64? = nil)
  /// Takes the place of an earlier pause. Stale when it was paused before, or is an unknown batch.
  case pause(PauseScope, Pause)
  /// Stale when it is not paused, or when that does not end by `dueBy`.
  case unpause(PauseScope, dueBy: Moment? = nil)
  /// The batch's open jobs, and those still to come, are to be cancelled, until `resume`.
  case cancel(BatchID, BatchCancellation)
  /// The batch is not cancelled any more; what of it is over stays so.
  case resume(BatchID)
  /// The batch has no more jobs than the ledger holds, although its producer did not say so; its next new job opens it
  /// again.
  case abandon(BatchID)
  case grant(JobID, Lease, to: WorkerID)
  case settle(Settlement)
  case retry(JobID, LeaseToken, at: Moment, cause: Failure)
  case becameDue(JobID)
  /// A lease comes back undone; the attempt is not charged.
  case giveBack(JobID, LeaseToken)
  /// The worker died while it can have been on the job.
  case crash(JobID, LeaseToken)
  /// The worker lives after all: one of so many crashes is taken back, and the attempt with it.
  case absolve(JobID, from: UInt8)
  /// The rows up to this number have arrived where they were asked for.
  case confirmRows(BatchID, upTo: UInt64)
  /// A dead letter gets another life: no attempts, no crashes, no deadline. Its row is removed, and its next end has a
  /// new one with a new number. What waits, a run, counts its former lives as attempts.
  case requeue(JobID)
  /// The worker spoke now.
  case seen(WorkerID)

  /// Batches without any job that are remembered, cancelled or closed, the newest ones; up to twice as many for a while.
  public static let emptyBatchesKept = 1_000

  /// How long a worker that is not seen any more is remembered, counted from the newest word of any; a day.
  public static let unseenWorkersKeptMilliseconds: Int64 = 86_400_000
}

/// The one outcome of a job, with its row.
public struct Settlement: Sendable {
  public let job: JobID
  public let batch: BatchID
  public let ordinal: UInt64
  /// The lease it was reached under; nil when it is the aggregator's own decision.
  public var lease: Lease?
  public var end: JobLife.End
  public var failure: FailureKind?
  public var row: [UInt8]
  /// Whose submission brought the job along; nothing happens when it is refused in the same commit.
  public var sender: Address?
  /// For what is counted of ends; no ledger keeps it.
  public var kind: JobKind?

  public init(of job: Job, lease: Lease?, end: JobLife.End, failure: FailureKind?, row: [UInt8]) {
    (self.job, batch, ordinal) = (job.id, job.batch, job.ordinal)
    self.lease = lease
    self.end = end
    self.failure = failure
    self.row = row
  }
}

/// Why the jobs of a batch are ended, and which.
public struct BatchCancellation: Hashable, Sendable {
  /// In one line, for the rows; one that is longer than a failure's message loses its middle.
  public let cause: String
  /// Also those that a worker is on.
  public var everything: Bool

  public init(cause: String, everything: Bool) {
    self.cause = cause.shortened(toBytes: Failure.longestMessage)
    self.everything = everything
  }
}

/// The outcome of an event.
public enum LedgerAnswer: Hashable, Sendable {
  case applied
  /// It came too late; nothing changed.
  case stale
  /// How many jobs of a submission were new, and which of the others are not what they were.
  case inserted(Int, differing: DifferingJobs? = nil)
  /// How many jobs of the batch are open and to be cancelled that were not before.
  case cancelled(jobs: UInt64)
  /// All terms that the batch has now, and whether it is paused.
  case terms(BatchTerms, isPaused: Bool)
}

/// Jobs of a submission that were there already and ask for something else than those that are there.
public struct DifferingJobs: Hashable, Sendable {
  public var count: UInt32
  /// The place in the batch of the first.
  public var first: UInt64

  public init(count: UInt32, first: UInt64) {
    self.count = count
    self.first = first
  }

  /// Those of two submissions together; nil when there are none.
  public static func sum(_ one: DifferingJobs?, _ other: DifferingJobs?) -> DifferingJobs? {
    guard let one, let other else { return one ?? other }
    return DifferingJobs(
      count: one.count.addingReportingOverflow(other.count).overflow ? .max : one.count + other.count,
      first: min(one.first, other.first))
  }
}
