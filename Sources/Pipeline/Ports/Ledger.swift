/// Something that happens to the ledger. Each is one guarded change: it applies, or it came too late.
public enum LedgerEvent: Sendable {
  /// Inserts the jobs that are not known yet, ready to be dispatched.
  case submit([Job])
  /// The batch has this many jobs in all.
  case close(BatchID, total: UInt64)
  case grant(JobID, Lease, to: WorkerID)
  case settle(Settlement)
  case retry(JobID, LeaseToken, at: Moment, cause: Failure)
  case becameDue(JobID)
  /// A lease comes back undone; the attempt is not charged.
  case giveBack(JobID, LeaseToken)
  /// The worker died while it can have been on the job.
  case crash(JobID, LeaseToken)
  /// The rows up to this number have arrived where they were asked for.
  case confirmRows(BatchID, upTo: UInt64)
}

/// The one outcome of a job, with its row.
public struct Settlement: Sendable {
  public var job: JobID
  /// The lease it was reached under; nil when it is the aggregator's own decision.
  public var lease: Lease?
  public var end: JobLife.End
  public var failure: FailureKind?
  public var row: [UInt8]

  public init(job: JobID, lease: Lease?, end: JobLife.End, failure: FailureKind?, row: [UInt8]) {
    self.job = job
    self.lease = lease
    self.end = end
    self.failure = failure
    self.row = row
  }
}

/// What became of an event.
public enum LedgerAnswer: Hashable, Sendable {
  case applied
  /// It came too late; nothing changed.
  case stale
  /// How many jobs of a submission were new.
  case inserted(Int)
}

/// A job that is not over, with what has happened to it.
public struct OpenJob: Sendable {
  public var job: Job
  public var life: JobLife

  public init(job: Job, life: JobLife) {
    self.job = job
    self.life = life
  }
}

/// How far a batch is.
public struct BatchProgress: Hashable, Sendable {
  /// How many jobs it has in all; nil while more may come.
  public var total: UInt64?
  /// The number of the last row; rows are numbered from 1 in the order of completion.
  public var rows: UInt64

  public init(total: UInt64?, rows: UInt64) {
    self.total = total
    self.rows = rows
  }

  public var isComplete: Bool { total == rows }
}

/// The ledger could not be read or written; nothing of what was asked has happened.
public struct LedgerError: Error, Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// Somebody else is using it.
    case locked
    /// There is no room to write.
    case full
    case readOnly
    /// It is damaged.
    case corrupt
    /// A newer version of the program wrote it.
    case newerSchema
    case other
  }

  public var kind: Kind
  /// One line: what, where, cause, and what to do next.
  public var message: String

  public init(_ message: String, kind: Kind = .other) {
    self.kind = kind
    self.message = message
  }

  /// Whether the same commit can succeed later without anybody opening the ledger anew.
  public var mayPass: Bool {
    switch kind {
    case .locked, .full, .other: true
    case .readOnly, .corrupt, .newerSchema: false
    }
  }
}

/// The port to what is remembered. Only the aggregator touches it.
public protocol Ledger: Sendable {
  /// Applies all events in order, in one transaction, and answers each.
  func commit(_ events: [LedgerEvent], at now: Moment) async throws(LedgerError) -> [LedgerAnswer]

  /// Jobs that are not over, in the order of their ids.
  func openJobs(after id: JobID?, limit: Int) async throws(LedgerError) -> [OpenJob]

  /// Finished rows of a batch by number, from the one after `number`.
  func rows(of batch: BatchID, after number: UInt64, limit: Int) async throws(LedgerError) -> [NumberedRow]

  /// nil when the batch is unknown.
  func progress(of batch: BatchID) async throws(LedgerError) -> BatchProgress?

  /// The greatest token that was ever granted, so that an aggregator that starts again grants greater ones; 0 when
  /// there was none.
  func lastToken() async throws(LedgerError) -> LeaseToken
}
