import Pipeline
import SQLite

/// A batch as its table has it.
extension LedgerBatch {
  static let columns =
    """
    serial, total, rows, confirmed, submitted, settled, failed, cancelled, abandoned, submitted_at, cancels, cause, \(Pause.columns),
    first_submitted_at, name, weight, at_most, per_hour, starts_at, deadline, kinds, id
    """
  /// The condition for a passing batch: its id ends with `BatchID.passingMark`.
  static let isPassing = "substr(id, 12) = X'0070696E67'"
  /// The condition for a batch of a run's calls, likewise.
  static let isOfCalls = "substr(id, 12) = X'0063616C6C'"
  /// The condition for a batch that users see.
  static let isShown = "NOT \(isPassing) AND NOT \(isOfCalls)"
  /// The condition for a batch of which nothing is open, and to which nothing is awaited.
  static let isComplete = "total = settled AND submitted = settled"

  /// nil when the row makes no sense.
  init?(_ row: borrowing Row) {
    guard let serial = row.integer(at: 0), let rows = row.integer(at: 2), let confirmed = row.integer(at: 3),
      let submitted = row.integer(at: 4), let settled = row.integer(at: 5), let failed = row.integer(at: 6),
      let cancelled = row.integer(at: 7), let submittedAt = row.moment(at: 9),
      let firstSubmittedAt = row.moment(at: 16), let kinds = row.integer(at: 23),
      let id = UUIDv7(stored: row.blob(at: 24))
    else { return nil }
    let progress = BatchProgress(
      total: row.integer(at: 1).map { UInt64(bitPattern: $0) }, rows: UInt64(clamping: rows),
      settled: UInt64(clamping: settled), failed: UInt64(clamping: failed),
      cancelled: UInt64(clamping: cancelled), isAbandoned: row.integer(at: 8) == 1,
      isPaused: row.integer(at: 12) != nil)
    self.init(
      BatchID(id), serial: serial, progress, submitted: UInt64(clamping: submitted),
      confirmed: UInt64(clamping: confirmed), kinds: UInt64(bitPattern: kinds), submittedAt: submittedAt,
      firstSubmittedAt: firstSubmittedAt)
    cancellation = row.integer(at: 10).map {
      BatchCancellation(cause: row.text(at: 11) ?? "", everything: $0 == 1)
    }
    terms = BatchTerms(row, at: 17)
    pause = Pause(row, at: 12)
  }

  /// What a change writes, as `BatchSQL.update` has it.
  func values(changedAt moment: Moment?) -> [Value] {
    [
      .integer(serial), .integer(progress.total.map { Int64(bitPattern: $0) }),
      .integer(Int64(clamping: progress.rows)), .integer(Int64(clamping: confirmed)),
      .integer(Int64(clamping: submitted)), .integer(Int64(clamping: progress.settled)),
      .integer(Int64(clamping: progress.failed)), .integer(Int64(clamping: progress.cancelled)),
      .integer(progress.isAbandoned ? 1 : 0), .moment(submittedAt),
      .integer(cancellation.map { $0.everything ? 1 : 0 }), .text(cancellation?.cause),
    ] + Pause.values(pause) + [
      .moment(moment), .text(terms.name), .integer(terms.weight.map { Int64($0) }),
      .integer(terms.atMost.map { Int64($0) }), .integer(terms.perHour.map { Int64($0) }),
      .moment(terms.startsAt), .moment(terms.deadline), .integer(Int64(bitPattern: kinds)),
    ]
  }

  /// Where its next row will stand in the table of results.
  var nextPlace: Int64 { place(of: progress.rows + 1) }

  /// Where a row of this batch stands in the table of results.
  func place(of number: UInt64) -> Int64 {
    Int64(bitPattern: RowPlace(serial: serial, number: number).value)
  }

  /// - Returns: The number of the row.
  mutating func appendRow(of end: JobLife.End) throws(SQLiteError) -> UInt64 {
    guard progress.rows < Job.mostInBatch else {
      throw .tooLarge("a batch has \(Job.mostInBatch) rows, and no number is left for another one")
    }
    settled(end)
    return progress.rows
  }
}

extension BatchTerms {
  fileprivate init(_ row: borrowing Row, at column: Int) {
    self.init(name: row.text(at: column))
    weight = row.integer(at: column + 1).map { UInt32(clamping: $0) }
    atMost = row.integer(at: column + 2).map { UInt32(clamping: $0) }
    perHour = row.integer(at: column + 3).map { UInt32(clamping: $0) }
    (startsAt, deadline) = (row.moment(at: column + 4), row.moment(at: column + 5))
  }
}

extension Pause {
  static let columns = "paused_at, paused_for, paused_by, paused_why"

  /// nil when the first of the columns says that nothing is paused.
  init?(_ row: borrowing Row, at column: Int) {
    guard let moment = row.moment(at: column) else { return nil }
    self.init(
      by: row.text(at: column + 2) ?? "", reason: row.text(at: column + 3), at: moment,
      lastsMilliseconds: row.integer(at: column + 1))
  }

  static func values(_ pause: Pause?) -> [Value] {
    [.moment(pause?.at), .integer(pause?.lastsMilliseconds), .text(pause?.by), .text(pause?.reason)]
  }
}
