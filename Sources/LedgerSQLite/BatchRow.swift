import Pipeline
import SQLite

/// A batch's counters. Within a transaction they are changed here and written once at its end.
struct BatchRow {
  static let columns = "serial, total, rows, confirmed"
  static let mostRows = UInt64(UInt32.max)

  let serial: Int64
  var total: UInt64?
  var rows: UInt64
  var confirmed: UInt64

  init(serial: Int64) {
    self.serial = serial
    (rows, confirmed) = (0, 0)
  }

  /// nil when the row makes no sense.
  init?(_ row: borrowing Row) {
    guard let serial = row.integer(at: 0), let rows = row.integer(at: 2),
      let confirmed = row.integer(at: 3)
    else { return nil }
    self.serial = serial
    total = row.integer(at: 1).map { UInt64(bitPattern: $0) }
    self.rows = UInt64(clamping: rows)
    self.confirmed = UInt64(clamping: confirmed)
  }

  /// Where a row of this batch stands in the table of results.
  func place(of number: UInt64) -> Int64 {
    serial << 32 | Int64(clamping: min(number, Self.mostRows))
  }

  mutating func appendRow() throws(SQLiteError) -> UInt64 {
    guard rows < Self.mostRows else {
      throw SQLiteError(call: "number row", code: 0, message: "a batch has more than \(Self.mostRows) rows")
    }
    rows += 1
    return rows
  }

  /// - Returns: False when the rows are not there yet, or were confirmed before.
  mutating func confirm(upTo number: UInt64) -> Bool {
    guard number > confirmed, number <= rows else { return false }
    confirmed = number
    return true
  }
}
