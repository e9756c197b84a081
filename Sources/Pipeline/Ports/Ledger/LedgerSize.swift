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
