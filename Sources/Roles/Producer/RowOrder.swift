import Pipeline

/// Puts rows into the order of submission, when that is wanted. Holds those that came too early.
struct RowOrder {
  private let isOrdered: Bool
  private var next: UInt64 = 0
  private var early: [UInt64: NumberedRow] = [:]

  init(isOrdered: Bool) {
    self.isOrdered = isOrdered
  }

  /// - Returns: The rows that may go out now.
  mutating func arrived(_ rows: [NumberedRow]) -> [NumberedRow] {
    guard isOrdered else { return rows }
    for row in rows { early[row.ordinal] = row }
    var due: [NumberedRow] = []
    while let row = early.removeValue(forKey: next) {
      due.append(row)
      next += 1
    }
    return due
  }
}
