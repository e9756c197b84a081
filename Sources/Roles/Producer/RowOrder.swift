import Pipeline

/// Holds rows back until they may go out: in the order of submission, when that is wanted, and never before their job
/// was submitted, because the rows of an earlier run come before this one's input has been read.
struct RowOrder {
  private let isOrdered: Bool
  /// In order, rows below this ordinal are out.
  private var next: UInt64 = 0
  private var early: [UInt64: NumberedRow] = [:]

  init(isOrdered: Bool) {
    self.isOrdered = isOrdered
  }

  /// - Parameter submitted: How many jobs were submitted.
  /// - Returns: The rows that may go out now.
  mutating func arrived(_ rows: [NumberedRow], submitted: UInt64) -> [NumberedRow] {
    var due: [NumberedRow] = []
    for row in rows {
      if !isOrdered, row.ordinal < submitted {
        due.append(row)
      } else {
        early[row.ordinal] = row
      }
    }
    return due + released(submitted: submitted)
  }

  /// Rows that were held back and may go out now.
  mutating func released(submitted: UInt64) -> [NumberedRow] {
    guard !early.isEmpty else { return [] }
    guard isOrdered else {
      let due = early.values.filter { $0.ordinal < submitted }.sorted { $0.ordinal < $1.ordinal }
      for row in due { early[row.ordinal] = nil }
      return due
    }
    var due: [NumberedRow] = []
    while next < submitted, let row = early.removeValue(forKey: next) {
      due.append(row)
      next += 1
    }
    return due
  }

  /// What is still held back, in order, once no more will come.
  mutating func rest() -> [NumberedRow] {
    defer { early = [:] }
    return early.values.sorted { $0.ordinal < $1.ordinal }
  }
}
