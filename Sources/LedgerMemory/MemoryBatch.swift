import Pipeline

/// A batch's counters, and its rows until they are confirmed.
struct MemoryBatch {
  /// Batches in the order in which they came.
  let serial: UInt64
  var progress = BatchProgress(total: nil, rows: 0, settled: 0)
  var changedAt: Moment
  private(set) var submittedAt: Moment
  let firstSubmittedAt: Moment
  var terms = BatchTerms()
  /// nil when it is wanted.
  var cancellation: BatchCancellation?
  /// Jobs that are not over.
  private(set) var open = 0
  private(set) var confirmed: UInt64 = 0
  private var kept: [UInt64: (job: JobID, end: JobLife.End, row: NumberedRow)] = [:]

  init(serial: UInt64, at now: Moment) {
    self.serial = serial
    changedAt = now
    submittedAt = now
    firstSubmittedAt = now
  }

  private var submitted: UInt64 { progress.settled + UInt64(open) }

  mutating func add(jobs: Int, at now: Moment) {
    submittedAt = now
    open += jobs
    if jobs > 0, progress.isAbandoned {
      (progress.total, progress.isAbandoned) = (nil, false)
    } else if let total = progress.total {
      progress.total = max(total, submitted)
    }
  }

  /// - Returns: False when there are more jobs than that.
  mutating func close(_ total: UInt64) -> Bool {
    guard total >= submitted else { return false }
    (progress.total, progress.isAbandoned) = (total, false)
    return true
  }

  /// No job ever came, and none is awaited, or not for sure.
  var isJobless: Bool {
    submitted == 0 && progress.rows == 0
      && (progress.total == 0 || progress.total == nil && cancellation != nil)
  }

  var isUnfinished: Bool { progress.total.map { $0 > submitted } ?? true }

  /// - Returns: False when it has all its jobs.
  mutating func abandon() -> Bool {
    guard isUnfinished else { return false }
    (progress.total, progress.isAbandoned) = (submitted, true)
    return true
  }

  /// - Returns: How many jobs will be cancelled by it; those that an earlier wish cancels are not counted again.
  mutating func cancel(_ cancellation: BatchCancellation) -> UInt64 {
    let isCovered = self.cancellation.map { $0.everything || !cancellation.everything } ?? false
    self.cancellation = cancellation
    return isCovered ? 0 : UInt64(open)
  }

  /// - Returns: The row's number.
  mutating func append(_ settlement: Settlement, ordinal: UInt64) -> UInt64 {
    count(settlement.end)
    let row = NumberedRow(
      number: progress.rows, ordinal: ordinal, failure: settlement.failure, json: settlement.row)
    kept[row.number] = (settlement.job, settlement.end, row)
    return row.number
  }

  /// A job is over; its row is not kept.
  mutating func count(_ end: JobLife.End) {
    progress.rows += 1
    progress.settled += 1
    progress.count(end, 1)
    open -= 1
  }

  func rows(after number: UInt64, limit: Int, bytes: Int) -> [NumberedRow] {
    var page: [NumberedRow] = []
    var room = bytes
    var next = max(number, confirmed)
    while next < progress.rows, page.count < limit, room > 0 {
      next += 1
      guard let row = kept[next]?.row else { continue }
      page.append(row)
      room -= row.json.count
    }
    return page
  }

  func failure(ofRow number: UInt64) -> FailureKind? { kept[number]?.row.failure }

  /// The job of this row is not over any more.
  mutating func withdraw(row number: UInt64) {
    kept[number] = nil
    progress.settled -= 1
    progress.failed -= 1
    open += 1
  }

  /// - Returns: The jobs whose rows are no longer needed; nil when the rows are not there or were confirmed before.
  mutating func confirm(upTo number: UInt64) -> [JobID]? {
    guard number > confirmed, number <= progress.rows else { return nil }
    let jobs = (confirmed + 1...number).compactMap { kept.removeValue(forKey: $0)?.job }
    confirmed = number
    return jobs
  }

  /// Nothing of it is open, and nothing is awaited.
  var isComplete: Bool { progress.isComplete && open == 0 }

  func mayBeForgotten(_ rule: ForgettingRule, _ id: BatchID, before moment: Moment) -> Bool {
    let limit = confirmed == progress.rows ? moment : rule.unreadLimit(moment)
    guard isComplete, let limit, changedAt < limit else { return false }
    if case .chosen = rule, id.isOfCalls {
      let before = moment.advanced(byMilliseconds: -ForgettingRule.callsKeptMilliseconds)
      guard changedAt < before else { return false }
    }
    return (rule != .passing || id.isPassing) && rule.choice.batch.map { $0 == id } ?? true
  }

  /// Where a row stands among those of all batches.
  func place(of number: UInt64) -> RowPlace { RowPlace(serial: Int64(bitPattern: serial), number: number) }

  /// Numbers of rows, from one on, in their order.
  func numbers(from number: UInt64, endedAs end: JobLife.End?) -> [UInt64] {
    kept.filter { key, row in key >= number && end.map { row.end == $0 } ?? true }.keys.sorted()
  }

  /// Drops rows with all that counts them.
  mutating func forget(_ numbers: [UInt64]) -> [JobID] {
    numbers.compactMap { number in
      guard let gone = kept.removeValue(forKey: number) else { return nil }
      progress.total? -= 1
      progress.settled -= 1
      progress.count(gone.end, -1)
      return gone.job
    }
  }

  var isEmpty: Bool { kept.isEmpty }

  private var unread: UInt64 { progress.rows - min(progress.rows, confirmed) }

  func forgotten(_ id: BatchID) -> ForgottenBatch {
    ForgottenBatch(id: id, name: terms.name, rows: progress.rows, unread: unread)
  }

  func summary(id: BatchID) -> LedgerSummary.Batch {
    var batch = LedgerSummary.Batch(
      id: id, progress: progress, terms: terms, firstSubmittedAt: firstSubmittedAt)
    batch.unread = unread
    batch.isCancelled = cancellation != nil
    return batch
  }
}

extension BatchProgress {
  fileprivate mutating func count(_ end: JobLife.End, _ difference: Int) {
    switch end {
    case .done: break
    case .dead: failed = UInt64(Int(failed) + difference)
    case .cancelled: cancelled = UInt64(Int(cancelled) + difference)
    }
  }
}
