import Pipeline

/// A batch's counters, and its rows until they are confirmed.
struct MemoryBatch {
  /// Batches in the order in which they came.
  let serial: UInt64
  var counters: BatchCounters
  var changedAt: Moment
  private var kept: [UInt64: (job: JobID, end: JobLife.End, row: NumberedRow)] = [:]

  init(serial: UInt64, at now: Moment) {
    self.serial = serial
    changedAt = now
    counters = BatchCounters(submittedAt: now, firstSubmittedAt: now)
  }

  /// No job ever came, and none is awaited, or not for sure.
  var isJobless: Bool {
    let total = counters.progress.total
    return !counters.hasHadJobs && (total == 0 || total == nil && counters.cancellation != nil)
  }

  /// - Returns: The row's number.
  mutating func append(_ settlement: Settlement) -> UInt64 {
    counters.settled(settlement.end)
    let row = NumberedRow(
      number: counters.progress.rows, ordinal: settlement.ordinal, failure: settlement.failure,
      json: settlement.row)
    kept[row.number] = (settlement.job, settlement.end, row)
    return row.number
  }

  func rows(after number: UInt64, limit: Int, bytes: Int) -> [NumberedRow] {
    var page: [NumberedRow] = []
    var room = bytes
    var next = max(number, counters.confirmed)
    while next < counters.progress.rows, page.count < limit, room > 0 {
      next += 1
      guard let row = kept[next]?.row else { continue }
      page.append(row)
      room -= row.json.count
    }
    return page
  }

  func failure(ofRow number: UInt64) -> FailureKind? { kept[number]?.row.failure }

  func json(ofRow number: UInt64) -> [UInt8]? { kept[number]?.row.json }

  /// The job of this row is not over any more.
  mutating func withdraw(row number: UInt64) {
    kept[number] = nil
    counters.requeue()
  }

  /// - Returns: The jobs whose rows are no longer needed; nil when the rows are not there or were confirmed before.
  mutating func confirm(upTo number: UInt64) -> [JobID]? {
    let first = counters.confirmed + 1
    guard counters.confirm(upTo: number) else { return nil }
    return (first...number).compactMap { kept.removeValue(forKey: $0)?.job }
  }

  func mayBeForgotten(_ rule: ForgettingRule, _ id: BatchID, before moment: Moment) -> Bool {
    let limit = counters.unread == 0 ? moment : rule.unreadLimit(moment)
    guard counters.isComplete, let limit, changedAt < limit else { return false }
    if case .chosen = rule, id.isOfCalls {
      let before = moment.advanced(byMilliseconds: -ForgettingRule.callsKeptMilliseconds)
      guard changedAt < before else { return false }
    }
    return rule.wantsPassing ?? id.isPassing == id.isPassing && rule.choice.batch ?? id == id
  }

  /// Where a row stands among those of all batches.
  func place(of number: UInt64) -> RowPlace { RowPlace(serial: Int64(bitPattern: serial), number: number) }

  /// Numbers of rows, from one on, in their order.
  func numbers(from number: UInt64, endedAs end: JobLife.End?) -> [UInt64] {
    kept.filter { key, row in key >= number && end.map { row.end == $0 } ?? true }.keys.sorted()
  }

  /// Drops rows with all that counts them.
  mutating func forget(_ numbers: [UInt64]) -> [JobID] {
    let gone = numbers.compactMap { kept.removeValue(forKey: $0) }
    counters.forget(jobs: gone.map(\.end))
    return gone.map(\.job)
  }

  var isEmpty: Bool { kept.isEmpty }
}
