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
  static let mostRows = Job.mostInBatch

  let serial: Int64
  private(set) var total: UInt64?
  private(set) var rows: UInt64
  private(set) var confirmed: UInt64
  /// Jobs that the ledger holds.
  private(set) var submitted: UInt64
  private(set) var settled: UInt64
  private(set) var failed: UInt64
  private(set) var cancelled: UInt64
  private(set) var isAbandoned: Bool
  private(set) var submittedAt: Moment
  /// nil when it is wanted.
  var cancellation: BatchCancellation?
  private(set) var pause: Pause?
  let firstSubmittedAt: Moment
  private(set) var terms: BatchTerms
  /// Of its jobs so far, one bit each.
  private(set) var kinds: Int64

  /// nil when the row makes no sense.
  init?(_ row: borrowing Row) {
    guard let serial = row.integer(at: 0), let rows = row.integer(at: 2), let confirmed = row.integer(at: 3),
      let submitted = row.integer(at: 4), let settled = row.integer(at: 5), let failed = row.integer(at: 6),
      let cancelled = row.integer(at: 7), let submittedAt = row.integer(at: 9),
      let firstSubmittedAt = row.integer(at: 16), let kinds = row.integer(at: 23)
    else { return nil }
    self.serial = serial
    total = row.integer(at: 1).map { UInt64(bitPattern: $0) }
    self.rows = UInt64(clamping: rows)
    self.confirmed = UInt64(clamping: confirmed)
    self.submitted = UInt64(clamping: submitted)
    self.settled = UInt64(clamping: settled)
    self.failed = UInt64(clamping: failed)
    self.cancelled = UInt64(clamping: cancelled)
    isAbandoned = row.integer(at: 8) == 1
    self.submittedAt = Moment(unixMilliseconds: submittedAt)
    cancellation = row.integer(at: 10).map {
      BatchCancellation(cause: row.text(at: 11) ?? "", everything: $0 == 1)
    }
    pause = Pause(row, at: 12)
    self.firstSubmittedAt = Moment(unixMilliseconds: firstSubmittedAt)
    terms = BatchTerms(name: row.text(at: 17))
    terms.weight = row.integer(at: 18).map { UInt32(clamping: $0) }
    terms.atMost = row.integer(at: 19).map { UInt32(clamping: $0) }
    terms.perHour = row.integer(at: 20).map { UInt32(clamping: $0) }
    terms.startsAt = row.integer(at: 21).map { Moment(unixMilliseconds: $0) }
    terms.deadline = row.integer(at: 22).map { Moment(unixMilliseconds: $0) }
    self.kinds = kinds
  }

  var hasHadJobs: Bool { submitted > 0 || rows > 0 }

  var progress: BatchProgress {
    BatchProgress(
      total: total, rows: rows, settled: settled, failed: failed, cancelled: cancelled,
      isAbandoned: isAbandoned, isPaused: pause != nil)
  }

  /// Where a row of this batch stands in the table of results.
  func place(of number: UInt64) -> Int64 {
    serial << 32 | Int64(clamping: min(number, Self.mostRows))
  }

  mutating func add(jobOf kind: JobKind, at now: Moment) {
    submittedAt = now
    submitted += 1
    kinds |= Self.bit(of: kind)
    if isAbandoned {
      (total, isAbandoned) = (nil, false)
    } else if let total {
      self.total = max(total, submitted)
    }
  }

  /// Someone submits it again, and it has all of that.
  mutating func addNothing(at now: Moment) {
    submittedAt = now
    if let total { self.total = max(total, submitted) }
  }

  func mayHave(_ kind: JobKind) -> Bool { kinds & Self.bit(of: kind) != 0 }

  private static func bit(of kind: JobKind) -> Int64 { 1 << Int64(kind.rawValue) }

  /// - Returns: False when there are more jobs than that.
  mutating func close(_ total: UInt64) -> Bool {
    guard total >= submitted else { return false }
    (self.total, isAbandoned) = (total, false)
    return true
  }

  /// - Returns: False when it has all its jobs.
  mutating func abandon() -> Bool {
    if let total, total <= submitted { return false }
    (total, isAbandoned) = (submitted, true)
    return true
  }

  /// - Returns: How many jobs will be cancelled by it; those that an earlier wish cancels are not counted again.
  mutating func cancel(_ cancellation: BatchCancellation) -> UInt64 {
    let isCovered = self.cancellation.map { $0.everything || !cancellation.everything } ?? false
    self.cancellation = cancellation
    return isCovered ? 0 : submitted - min(submitted, settled)
  }

  /// - Returns: False when it is not cancelled.
  mutating func resume() -> Bool {
    defer { cancellation = nil }
    return cancellation != nil
  }

  /// - Returns: Whether that changes anything.
  mutating func take(_ terms: BatchTerms) -> Bool { self.terms.take(terms) }

  mutating func set(_ pause: Pause?) { self.pause = pause }

  /// - Returns: The number of the row.
  mutating func appendRow(of end: JobLife.End) throws(SQLiteError) -> UInt64 {
    guard rows < Self.mostRows else {
      throw .tooLarge("a batch has \(Self.mostRows) rows, and no number is left for another one")
    }
    rows += 1
    settled += 1
    switch end {
    case .done: break
    case .dead: failed += 1
    case .cancelled: cancelled += 1
    }
    return rows
  }

  /// A dead letter is open again.
  mutating func requeue() {
    settled -= min(settled, 1)
    failed -= min(failed, 1)
  }

  /// - Returns: False when the rows are not there yet, or were confirmed before.
  mutating func confirm(upTo number: UInt64) -> Bool {
    guard number > confirmed, number <= rows else { return false }
    confirmed = number
    return true
  }

  func forgotten(_ id: BatchID) -> ForgottenBatch {
    ForgottenBatch(id: id, name: terms.name, rows: rows, unread: rows - min(rows, confirmed))
  }

  /// Jobs of a complete batch are deleted.
  mutating func forget(jobs ends: [StoredState]) {
    let gone = UInt64(clamping: ends.count)
    submitted -= min(submitted, gone)
    settled -= min(settled, gone)
    total = settled
    failed -= min(failed, UInt64(clamping: ends.count { $0 == .dead }))
    cancelled -= min(cancelled, UInt64(clamping: ends.count { $0 == .cancelled }))
  }
}
