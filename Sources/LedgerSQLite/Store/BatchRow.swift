import Pipeline
import SQLite

/// A batch's counters. Within a transaction they are changed here and written once at its end.
struct BatchRow {
  static let columns =
    """
    serial, total, rows, confirmed, submitted, settled, failed, cancelled, abandoned, submitted_at, cancels, cause, \(Pause.columns),
    first_submitted_at, name, weight, at_most, per_hour, starts_at, deadline, kinds
    """
  /// How many columns these are.
  static let width = 24
  /// The condition for a passing batch: its id ends with `BatchID.passingMark`.
  static let isPassing = "substr(id, 12) = X'0070696E67'"
  /// The condition for a batch of a run's calls, likewise.
  static let isOfCalls = "substr(id, 12) = X'0063616C6C'"
  /// The condition for a batch of which nothing is open, and to which nothing is awaited.
  static let isComplete = "total = settled AND submitted = settled"
  var counters: BatchCounters
  /// Of its jobs so far, one bit each.
  private(set) var kinds: Int64

  /// nil when the row makes no sense.
  init?(_ row: borrowing Row) {
    guard let serial = row.integer(at: 0), let rows = row.integer(at: 2), let confirmed = row.integer(at: 3),
      let submitted = row.integer(at: 4), let settled = row.integer(at: 5), let failed = row.integer(at: 6),
      let cancelled = row.integer(at: 7), let submittedAt = row.integer(at: 9),
      let firstSubmittedAt = row.integer(at: 16), let kinds = row.integer(at: 23)
    else { return nil }
    self.kinds = kinds
    let progress = BatchProgress(
      total: row.integer(at: 1).map { UInt64(bitPattern: $0) }, rows: UInt64(clamping: rows),
      settled: UInt64(clamping: settled), failed: UInt64(clamping: failed),
      cancelled: UInt64(clamping: cancelled), isAbandoned: row.integer(at: 8) == 1)
    counters = BatchCounters(
      serial: serial, progress, submitted: UInt64(clamping: submitted),
      confirmed: UInt64(clamping: confirmed),
      submittedAt: Moment(unixMilliseconds: submittedAt),
      firstSubmittedAt: Moment(unixMilliseconds: firstSubmittedAt))
    counters.cancellation = row.integer(at: 10).map {
      BatchCancellation(cause: row.text(at: 11) ?? "", everything: $0 == 1)
    }
    counters.terms = BatchTerms(row, at: 17)
    counters.pause = Pause(row, at: 12)
  }

  /// Of a statement that reads the id behind these columns; nil when they make no sense.
  static func withID(_ row: borrowing Row) -> (row: BatchRow, id: BatchID)? {
    guard let batch = BatchRow(row), let id = UUIDv7(stored: row.blob(at: width)) else { return nil }
    return (batch, BatchID(id))
  }

  /// Where a row of this batch stands in the table of results.
  func place(of number: UInt64) -> Int64 {
    Int64(bitPattern: RowPlace(serial: serial, number: number).value)
  }

  var serial: Int64 { counters.serial }

  mutating func note(_ kind: JobKind) { kinds |= Self.bit(of: kind) }

  func mayHave(_ kind: JobKind) -> Bool { kinds & Self.bit(of: kind) != 0 }

  private static func bit(of kind: JobKind) -> Int64 { 1 << Int64(kind.rawValue) }

  /// - Returns: The number of the row.
  mutating func appendRow(of end: JobLife.End) throws(SQLiteError) -> UInt64 {
    guard counters.progress.rows < Job.mostInBatch else {
      throw .tooLarge("a batch has \(Job.mostInBatch) rows, and no number is left for another one")
    }
    counters.settled(end)
    return counters.progress.rows
  }
}

extension BatchTerms {
  fileprivate init(_ row: borrowing Row, at column: Int) {
    self.init(name: row.text(at: column))
    weight = row.integer(at: column + 1).map { UInt32(clamping: $0) }
    atMost = row.integer(at: column + 2).map { UInt32(clamping: $0) }
    perHour = row.integer(at: column + 3).map { UInt32(clamping: $0) }
    startsAt = row.integer(at: column + 4).map { Moment(unixMilliseconds: $0) }
    deadline = row.integer(at: column + 5).map { Moment(unixMilliseconds: $0) }
  }
}
