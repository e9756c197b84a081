import Pipeline
import SQLite

/// A batch's counters. Within a transaction they are changed here and written once at its end.
struct BatchRow {
  static let columns = "serial, total, rows, confirmed, submitted, settled, failed"
  /// The condition for a batch that nobody looks for later: its id ends with `BatchID.passingMark`.
  static let isPassing = "substr(id, 12) = X'0070696E67'"
  /// The condition for a batch of a run's calls, likewise.
  static let isOfCalls = "substr(id, 12) = X'0063616C6C'"
  static let mostRows = Job.mostInBatch

  let serial: Int64
  private(set) var total: UInt64?
  private(set) var rows: UInt64
  private(set) var confirmed: UInt64
  /// Jobs that the ledger holds.
  private(set) var submitted: UInt64
  private(set) var settled: UInt64
  private(set) var failed: UInt64

  /// nil when the row makes no sense.
  init?(_ row: borrowing Row) {
    guard let serial = row.integer(at: 0), let rows = row.integer(at: 2), let confirmed = row.integer(at: 3),
      let submitted = row.integer(at: 4), let settled = row.integer(at: 5), let failed = row.integer(at: 6)
    else { return nil }
    self.serial = serial
    total = row.integer(at: 1).map { UInt64(bitPattern: $0) }
    self.rows = UInt64(clamping: rows)
    self.confirmed = UInt64(clamping: confirmed)
    self.submitted = UInt64(clamping: submitted)
    self.settled = UInt64(clamping: settled)
    self.failed = UInt64(clamping: failed)
  }

  var progress: BatchProgress {
    BatchProgress(total: total, rows: rows, settled: settled, failed: failed)
  }

  /// Where a row of this batch stands in the table of results.
  func place(of number: UInt64) -> Int64 {
    serial << 32 | Int64(clamping: min(number, Self.mostRows))
  }

  mutating func add(jobs: Int) {
    submitted += UInt64(clamping: jobs)
    if let total { close(total) }
  }

  /// Nobody takes jobs back: a total that is too small is none.
  mutating func close(_ total: UInt64) {
    self.total = max(total, submitted)
  }

  /// - Returns: The number of the row.
  mutating func appendRow(of end: JobLife.End) throws(SQLiteError) -> UInt64 {
    guard rows < Self.mostRows else {
      throw .tooLarge("a batch has \(Self.mostRows) rows, and no number is left for another one")
    }
    rows += 1
    settled += 1
    if end != .done { failed += 1 }
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

  /// Jobs of a complete batch are deleted, some of them failed ones.
  mutating func forget(jobs: Int, failed: Int) {
    let gone = UInt64(clamping: jobs)
    submitted -= min(submitted, gone)
    settled -= min(settled, gone)
    total = settled
    self.failed -= min(self.failed, UInt64(clamping: failed))
  }
}
