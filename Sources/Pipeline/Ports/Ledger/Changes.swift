/// What one commit changes, all of it or nothing: first what comes in, then jobs, then batches, each in its order.
public struct Changes: Sendable {
  /// Whose changes these are: all are refused unless that is the ledger's owner.
  public var term: LedgerTerm
  public var submissions: [JobsIn] = []
  public var jobs: [JobChange] = []
  public var batches: [BatchChange] = []
  /// Workers that spoke now.
  public var seen: [WorkerID] = []
  /// Hosts that are to be left alone for a while, and those that no longer are.
  public var waits: [String: HostWait] = [:]

  public init(under term: LedgerTerm) {
    self.term = term
  }

  public var isEmpty: Bool {
    submissions.isEmpty && jobs.isEmpty && batches.isEmpty && seen.isEmpty && waits.isEmpty
  }

  /// Batches without any job that are remembered, cancelled or closed, the newest ones; up to twice as many for a while.
  public static let emptyBatchesKept = 1_000

  /// How long a worker that is not seen any more is remembered, counted from the newest word of any; a day.
  public static let unseenWorkersKeptMilliseconds: Int64 = 86_400_000
}

/// Until when nothing is sent to a host. It outlives the aggregator; a moment that has passed ends it.
public enum HostWait: Hashable, Sendable {
  case asked(until: Moment)
  case givenUp(HostVerdict)

  /// No host is left alone for longer.
  public static let longestMilliseconds: Int64 = 600_000

  public var until: Moment {
    switch self {
    case .asked(let moment): moment
    case .givenUp(let verdict): verdict.until
    }
  }

  /// What of it is left, whatever the clock did since: nil when nothing is.
  public func left(at now: Moment) -> HostWait? {
    let end = min(until, now.advanced(byMilliseconds: Self.longestMilliseconds))
    guard case .givenUp(var verdict) = self else { return end > now ? .asked(until: end) : nil }
    verdict.until = end
    return end > now ? .givenUp(verdict) : nil
  }
}

/// Why nothing is sent to a host that is given up.
public struct HostVerdict: Hashable, Sendable {
  /// What the last failure was.
  public var kind: FailureKind
  /// Failures in a row.
  public var failures: Int
  public var until: Moment
  /// The host answers, and asks to wait longer than its jobs do.
  public var isAskedToWait: Bool

  public init(kind: FailureKind, failures: Int, until: Moment, isAskedToWait: Bool = false) {
    (self.kind, self.failures, self.until, self.isAskedToWait) = (kind, failures, until, isAskedToWait)
  }
}

/// What became of changes: as many answers of a kind as there were changes.
public struct ChangesMade: Sendable {
  public var submissions: [Insertion] = []
  /// Whether each applied; one that did not came too late, and changed nothing.
  public var jobs: [Bool] = []
  public var batches: [BatchAnswer] = []

  public init() {}
}

/// Jobs that come in, and what is known of their batch with them.
public struct JobsIn: Sendable {
  /// A job, the host that it waits for, so that ready jobs can be found by it, and the key of its link.
  public typealias Item = (job: Job, host: String, link: LinkKey?)

  public var batch: BatchID
  /// All of the batch. Those that are not known yet are inserted, ready to be dispatched. When one that is known asks for something else,
  /// nothing is inserted or changed, and what follows it of the same sender and batch in this commit is not taken either.
  public var jobs: [Item]
  public var sender: Address?
  /// Jobs that are over as they come.
  public var ends: [Settlement] = []
  /// The batch has this many jobs in all.
  public var total: UInt64?
  /// The batch has these terms, as far as they say something. They count only if the batch has as many jobs in all as is
  /// said: none is said, and none is known, while there may be more.
  public var terms: BatchTerms?

  /// It makes the batch when that is new.
  public var makesBatch: Bool { !jobs.isEmpty || total != nil }

  public init(_ jobs: [Item], of batch: BatchID, from sender: Address? = nil) {
    (self.jobs, self.batch, self.sender) = (jobs, batch, sender)
  }
}

/// What became of jobs that came in.
public struct Insertion: Hashable, Sendable {
  /// Jobs that were new.
  public var count = 0
  /// Those of the others that are not what they were.
  public var differing: DifferingJobs?
  /// Which of its ends applied.
  public var ends: [Bool] = []
  /// Whether it has as many jobs as was said, and not more.
  public var isClosed = false
  /// All terms that the batch has now, and whether it is paused; nil when no terms came.
  public var terms: BatchTerms?
  public var isPaused = false

  public init() {}
}

/// What happens to a job: each is one guarded change, see `JobLife`.
public struct JobChange: Sendable {
  public enum Event: Sendable {
    case granted(Lease, to: WorkerID)
    case ended(Settlement)
    /// The lease ended with a failure that may pass; another attempt is due then.
    case failedForNow(LeaseToken, until: Moment, Failure)
    case becameDue
    /// A lease comes back undone; the attempt is not charged.
    case returned(LeaseToken)
    /// The worker died while it can have been on the job.
    case crashed(LeaseToken)
    /// The worker lives after all: one of so many crashes is taken back, and the attempt with it.
    case absolved(from: UInt8)
    /// A dead letter gets another life: no attempts, no crashes, no deadline. Its row is removed, and its next end has a
    /// new one with a new number. What waits, a run, counts its former lives as attempts.
    case requeued
  }

  public let job: JobID
  public var event: Event

  public init(_ job: JobID, _ event: Event) {
    (self.job, self.event) = (job, event)
  }

  public init(_ settlement: Settlement) {
    self.init(settlement.job, .ended(settlement))
  }

  public var settlement: Settlement? {
    if case .ended(let settlement) = event { settlement } else { nil }
  }
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

/// What operators, producers and readers make of batches.
public enum BatchChange: Sendable {
  /// The batch has these terms, as far as they say something; stale when it is unknown.
  case terms(BatchID, BatchTerms)
  /// Takes the place of an earlier pause; nil ends it. Stale when it was paused before, or was not, when that does not end
  /// by `dueBy`, and when the batch is unknown.
  case pause(PauseScope, Pause?, dueBy: Moment? = nil)
  /// The batch's open jobs, and those still to come, are to be cancelled, until `resume`.
  case cancel(BatchID, BatchCancellation)
  /// The batch is not cancelled any more; what of it is over stays so.
  case resume(BatchID)
  /// The batch has no more jobs than the ledger holds, although its producer did not say so; its next new job opens it
  /// again.
  case abandon(BatchID)
  /// The rows up to this number have arrived where they were asked for.
  case confirmRows(BatchID, upTo: UInt64)
}

extension BatchChange {
  /// nil for what is no batch's: a pause of a host, or of everything.
  public var batch: BatchID? {
    switch self {
    case .terms(let id, _), .cancel(let id, _), .resume(let id), .abandon(let id),
      .confirmRows(let id, upTo: _):
      id
    case .pause(let scope, _, dueBy: _): scope.batch
    }
  }

  /// It makes the batch when it is new.
  public var makesBatch: Bool { if case .cancel = self { true } else { false } }
}

public enum BatchAnswer: Hashable, Sendable {
  case applied
  /// It came too late, or the batch is unknown; nothing changed.
  case stale
  /// How many jobs of the batch are open and to be cancelled that were not before.
  case cancelled(jobs: UInt64)
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

/// Jobs of a submission that were there already and ask for something else than those that are there.
public struct DifferingJobs: Archived, Hashable, Sendable {
  public var count: UInt32 = 0
  /// The place in the batch of the first.
  public var first: UInt64 = 0

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

  init() {}

  mutating func code(_ coder: inout some Coder) {
    coder.field(1, &count)
    coder.field(2, &first)
  }
}
