/// What a ledger counts of a batch, and by which rules: the same for each ledger, however it keeps them. A pure value.
public struct BatchCounters: Sendable {
  public var progress: BatchProgress
  /// Jobs that came, without those that were forgotten.
  public private(set) var submitted: UInt64
  /// The number of the last row that its readers have.
  public private(set) var confirmed: UInt64
  public private(set) var submittedAt: Moment
  public let firstSubmittedAt: Moment
  public var terms = BatchTerms()
  /// nil when it is wanted.
  public var cancellation: BatchCancellation?

  public init(
    _ progress: BatchProgress = BatchProgress(total: nil, rows: 0, settled: 0), submitted: UInt64 = 0,
    confirmed: UInt64 = 0, submittedAt: Moment, firstSubmittedAt: Moment
  ) {
    (self.progress, self.submitted, self.confirmed) = (progress, submitted, confirmed)
    (self.submittedAt, self.firstSubmittedAt) = (submittedAt, firstSubmittedAt)
  }

  /// Jobs that are not over.
  public var open: UInt64 { submitted - min(submitted, progress.settled) }
  /// Rows that no reader has confirmed.
  public var unread: UInt64 { progress.rows - min(progress.rows, confirmed) }
  public var hasHadJobs: Bool { submitted > 0 || progress.rows > 0 }
  /// More jobs may come, or are awaited.
  public var isUnfinished: Bool { progress.total.map { $0 > submitted } ?? true }
  /// Nothing of it is open, and nothing is awaited.
  public var isComplete: Bool { progress.isComplete && submitted == progress.settled }

  /// It is submitted, perhaps again, with so many jobs that are new.
  public mutating func add(jobs: UInt64, at now: Moment) {
    submittedAt = now
    submitted += jobs
    if jobs > 0, progress.isAbandoned {
      (progress.total, progress.isAbandoned) = (nil, false)
    } else if let total = progress.total {
      progress.total = max(total, submitted)
    }
  }

  /// - Returns: False when there are more jobs than that.
  public mutating func close(_ total: UInt64) -> Bool {
    guard total >= submitted else { return false }
    (progress.total, progress.isAbandoned) = (total, false)
    return true
  }

  /// - Parameters:
  ///   - producer: nil for what an operator changes.
  ///   - total: How many jobs the producer says the batch has.
  /// - Returns: Whether anything changes.
  @discardableResult
  public mutating func take(_ terms: BatchTerms, from producer: Address?, ofJobs total: UInt64?) -> Bool {
    // Another list under the same name changes nothing of this one.
    guard producer == nil || progress.total == total else { return false }
    return self.terms.take(terms)
  }

  /// - Returns: False when it has all its jobs.
  public mutating func abandon() -> Bool {
    guard isUnfinished else { return false }
    (progress.total, progress.isAbandoned) = (submitted, true)
    return true
  }

  /// - Returns: How many jobs will be cancelled by it; those that an earlier wish cancels are not counted again.
  public mutating func cancel(_ cancellation: BatchCancellation) -> UInt64 {
    let known = self.cancellation?.everything
    if known == true, !cancellation.everything { return 0 }
    self.cancellation = cancellation
    return known == cancellation.everything ? 0 : open
  }

  /// - Returns: False when it is not cancelled.
  public mutating func resume() -> Bool { cancellation.take() != nil }

  /// A job is over, and has the next row.
  public mutating func settled(_ end: JobLife.End) {
    progress.rows += 1
    progress.settled += 1
    switch end {
    case .done: break
    case .dead: progress.failed += 1
    case .cancelled: progress.cancelled += 1
    }
  }

  /// A dead letter is open again.
  public mutating func requeue() {
    progress.settled -= min(progress.settled, 1)
    progress.failed -= min(progress.failed, 1)
  }

  /// - Returns: False when the rows are not there yet, or were confirmed before.
  public mutating func confirm(upTo number: UInt64) -> Bool {
    guard number > confirmed, number <= progress.rows else { return false }
    confirmed = number
    return true
  }

  /// Jobs of a complete batch are deleted.
  public mutating func forget(jobs ends: [JobLife.End]) {
    let gone = UInt64(clamping: ends.count)
    submitted -= min(submitted, gone)
    progress.settled -= min(progress.settled, gone)
    progress.total = progress.settled
    progress.failed -= min(progress.failed, UInt64(clamping: ends.count { $0 == .dead }))
    progress.cancelled -= min(progress.cancelled, UInt64(clamping: ends.count { $0 == .cancelled }))
  }

  public func forgotten(_ id: BatchID) -> ForgottenBatch {
    ForgottenBatch(id: id, name: terms.name, rows: progress.rows, unread: unread)
  }

  public func summary(id: BatchID) -> LedgerSummary.Batch {
    var batch = LedgerSummary.Batch(
      id: id, progress: progress, terms: terms, firstSubmittedAt: firstSubmittedAt)
    batch.unread = unread
    batch.isCancelled = cancellation != nil
    return batch
  }
}
