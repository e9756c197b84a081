/// Which complete batches may be forgotten.
public struct ForgettingRule: Hashable, Sendable {
  public private(set) var choice = ForgettingChoice(unconfirmedToo: true)
  /// Batches with unconfirmed rows may be forgotten that have not changed since then; nil for when the others may.
  private var unreadBefore: Moment?
  /// Whether it is of passing batches alone, or of no such; nil for all.
  public private(set) var wantsPassing: Bool?
  /// Calls of a run that may still go on are spared.
  private var sparesNewCalls = false

  /// Those whose rows have all been confirmed, and others that have not changed since another moment: a reader that is not
  /// through finds the rest when it comes back. nil keeps these for ever.
  public static func old(unreadBefore: Moment?) -> ForgettingRule {
    ForgettingRule(
      choice: ForgettingChoice(unconfirmedToo: unreadBefore != nil), unreadBefore: unreadBefore)
  }

  /// Those of passing batches, such as pings.
  public static let passing = ForgettingRule(wantsPassing: true)

  /// What a user chose of them. Who names no batch means those that lists show.
  public static func chosen(_ choice: ForgettingChoice) -> ForgettingRule {
    ForgettingRule(choice: choice, wantsPassing: choice.batch == nil ? false : nil, sparesNewCalls: true)
  }

  public func unreadLimit(_ before: Moment) -> Moment? {
    choice.unconfirmedToo ? unreadBefore ?? before : nil
  }

  /// Calls of a run that may still go on are not chosen until they are so old.
  public static let callsKeptMilliseconds: Int64 = 3_600_000

  /// Batches of calls may be forgotten that have not changed since then; nil for all.
  public func callsLimit(_ before: Moment) -> Moment? {
    sparesNewCalls ? before.advanced(byMilliseconds: -Self.callsKeptMilliseconds) : nil
  }

  public func wants(_ batch: LedgerBatch, changedAt: Moment, before moment: Moment) -> Bool {
    let (id, limit) = (batch.id, batch.unread == 0 ? moment : unreadLimit(moment))
    guard batch.isComplete, let limit, changedAt < limit else { return false }
    if id.isOfCalls, let limit = callsLimit(moment), changedAt >= limit { return false }
    return wantsPassing ?? id.isPassing == id.isPassing && choice.batch ?? id == id
  }
}

/// Jobs of complete batches that a user wants to be forgotten. Open jobs are never among them.
public struct ForgettingChoice: Codable, Hashable, Sendable {
  /// nil for all batches.
  public var batch: BatchID?
  /// nil for all jobs, however they ended.
  public var end: JobLife.End?
  /// Also of batches with rows that no reader has confirmed.
  public var unconfirmedToo: Bool
  /// Nothing is deleted, only counted.
  public var onlyCounts: Bool

  public init(
    batch: BatchID? = nil, end: JobLife.End? = nil, unconfirmedToo: Bool = false, onlyCounts: Bool = false
  ) {
    self.batch = batch
    self.end = end
    self.unconfirmedToo = unconfirmedToo
    self.onlyCounts = onlyCounts
  }
}

/// A row's place among all rows of a ledger, which are kept batch after batch, and in a batch by number.
public struct RowPlace: Hashable, Comparable, Sendable {
  public var value: UInt64

  public init(_ value: UInt64) {
    self.value = value
  }

  /// - Parameter serial: The batch's number, by which the ledger has it.
  public init(serial: Int64, number: UInt64) {
    value = UInt64(bitPattern: serial << 32 | Int64(clamping: min(number, Job.mostInBatch)))
  }

  public static let first = RowPlace(0)

  public var serial: Int64 { Int64(bitPattern: value >> 32) }
  public var number: UInt64 { value & 0xFFFF_FFFF }

  public static func < (left: RowPlace, right: RowPlace) -> Bool { left.value < right.value }
}

/// What one step of forgetting did.
public struct ForgettingStep: Hashable, Sendable {
  /// Jobs that were forgotten, or counted.
  public var jobs: Int
  /// Where the next step begins; nil when nothing is left. A step that forgot nothing need not be the last.
  public var next: RowPlace?
  /// Batches of which nothing is left.
  public var gone: [LedgerBatch] = []

  public init(jobs: Int, next: RowPlace?) {
    (self.jobs, self.next) = (jobs, next)
  }
}

/// What a ledger takes on its disk, and what is in it.
public struct LedgerSize: Hashable, Sendable {
  /// What the bytes of a file are for.
  public enum Part: String, CaseIterable, Sendable {
    /// Jobs and rows, their indexes, answers that are kept for later jobs, and the little that is of batches.
    case data
    /// Room of deleted data, which new data takes first.
    case free
    /// What is committed and not yet in its place.
    case log
    /// What is given up first when the disk is full.
    case reserve
  }

  /// Bytes by part; empty for a ledger without a file. Together they are what the files take once the log is in its
  /// place.
  public var parts: [Part: Int64]
  /// Open jobs and dead letters.
  public var jobs: JobCounts
  /// Without those of passing batches, as all that follows.
  public var done: UInt64 = 0
  public var cancelled: UInt64 = 0
  public var batches: UInt64 = 0
  /// Jobs of complete batches, which can be forgotten, and those of them whose batch has no unconfirmed row.
  public var forgettable: UInt64 = 0
  public var forgettableRead: UInt64 = 0
  /// When the last job of the oldest complete batch was over.
  public var oldest: Moment?
  /// Free bytes on its disk; nil for a ledger without a file.
  public var diskFree: Int64?

  public init(parts: [Part: Int64] = [:], jobs: JobCounts = JobCounts(), oldest: Moment? = nil) {
    (self.parts, self.jobs, self.oldest) = (parts, jobs, oldest)
  }

  /// Counts a batch that is no passing one.
  public mutating func add(_ batch: LedgerBatch, changedAt: Moment) {
    let progress = batch.progress
    batches += 1
    done += progress.done
    cancelled += progress.cancelled
    guard batch.isComplete else { return }
    forgettable += progress.settled
    if batch.unread == 0 { forgettableRead += progress.settled }
    if progress.settled > 0 { oldest = min(oldest ?? changedAt, changedAt) }
  }

  /// Of all parts.
  public var bytes: Int64 { parts.values.reduce(0, +) }

  public subscript(part: Part) -> Int64 { parts[part] ?? 0 }

  /// About what jobs and rows take that can be forgotten.
  public var forgettableBytes: Int64 {
    let all = UInt64(clamping: jobs.open + jobs.dead) + done + cancelled
    guard all > 0 else { return 0 }
    return Int64(Double(self[.data]) * Double(min(forgettable, all)) / Double(all))
  }

  private static let freeKept: Int64 = 64 << 20

  /// Room that deleted data left is used again, so only much of it, a quarter of the file, is worth to be given back.
  public var isWorthShrinking: Bool {
    self[.free] > max(Self.freeKept, (self[.data] + self[.free]) / 4)
  }
}

/// How far something is that is done with a ledger's file in short steps.
public struct FileStep: Hashable, Sendable {
  /// Bytes that were copied so far, or that this step gave back to the disk.
  public var bytes: Int64
  /// Bytes that are copied in all, or free ones that are left; with 0 of them the log is empty too.
  public var total: Int64
  /// The copy, once it is whole and on the disk.
  public var path: String?
  /// The disk has to be waited for; the next step does nothing before.
  public var isWaiting: Bool

  public init(bytes: Int64, total: Int64, path: String? = nil, isWaiting: Bool = false) {
    (self.bytes, self.total, self.path, self.isWaiting) = (bytes, total, path, isWaiting)
  }
}

/// Rows of many batches, with their numbers there.
public typealias StoredRows = Page<NumberedRow, RowPlace>
