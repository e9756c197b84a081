/// Questions about the ledger, and rows of many batches.
extension ByteWriter {
  mutating func care(_ task: LedgerTask, isUnderWay: Bool) {
    integer(TaskCode(task).rawValue)
    integer(UInt8(isUnderWay ? 1 : 0))
    guard case .forget(let choice, let age) = task else { return }
    integer(choice.end?.rawValue ?? 0)
    integer(UInt8(choice.unconfirmedToo ? 1 : 0))
    integer(UInt8(choice.onlyCounts ? 1 : 0))
    integer(age)
  }

  mutating func storedRows(_ after: RowPlace, _ page: StoredRows) {
    integer(after.value)
    integer(UInt8(page.next == nil ? 0 : 1))
    integer(page.next?.value ?? 0)
    for row in page.items { self.row(row) }
  }
}

extension ByteReader {
  mutating func care(of batch: BatchID?) throws(FrameError) -> Query.Question {
    guard let code = TaskCode(rawValue: try integer("task", as: UInt8.self)) else { throw .malformed("task") }
    let isUnderWay = try flag("under way")
    switch code {
    case .size: return .care(.size, isUnderWay: isUnderWay)
    case .copy: return .care(.copy, isUnderWay: isUnderWay)
    case .shrink: return .care(.shrink, isUnderWay: isUnderWay)
    case .forget:
      var choice = ForgettingChoice(batch: batch)
      choice.end = try optionalCode("end")
      choice.unconfirmedToo = try flag("unconfirmed too")
      choice.onlyCounts = try flag("only counts")
      let age = try integer("age", as: Int64.self)
      return .care(.forget(choice, olderThanMilliseconds: age), isUnderWay: isUnderWay)
    }
  }

  mutating func storedRows() throws(FrameError) -> StoredRows {
    let hasNext = try flag("next")
    let next = RowPlace(try integer("next", as: UInt64.self))
    var rows: [NumberedRow] = []
    while !isAtEnd { rows.append(try row()) }
    return StoredRows(rows, next: hasNext ? next : nil)
  }
}

private enum TaskCode: UInt8 {
  case size = 1
  case copy = 2
  case forget = 3
  case shrink = 4

  init(_ task: LedgerTask) {
    self =
      switch task {
      case .size: .size
      case .copy: .copy
      case .forget: .forget
      case .shrink: .shrink
      }
  }
}
