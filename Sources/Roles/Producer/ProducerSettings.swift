package import Pipeline

/// How a producer submits and collects.
package struct ProducerSettings: Sendable {
  package var batch: BatchID
  /// Rows come out in the order of the input.
  package var isOrdered: Bool
  /// Jobs submitted and not yet written; what a producer holds in memory is bounded by it.
  package var window: Int
  /// How many of them there may be before the first row is written: the transfers that can be under way.
  package var start: Int
  /// Milliseconds a job may take in all, waiting and retries included.
  package var deadlineMilliseconds: Int64?
  /// What is asked of the batch, from its next submission on; nil to leave it as it is.
  package var terms: BatchTerms?
  /// What becomes of jobs that are not over when the run is interrupted: they stay in the ledger for the next run,
  /// or are cancelled, each with its row.
  package var leavesJobsOpen: Bool
  /// Whether it waits for rows; otherwise the run is over when every job has its receipt.
  package var collectsRows = true
  /// How long the aggregator may say nothing at all before it is given up; nil when it cannot be gone.
  package var timeoutMilliseconds: Int64?

  package init(
    batch: BatchID, isOrdered: Bool = false, window: Int? = nil, start: Int = 256,
    deadlineMilliseconds: Int64? = nil, leavesJobsOpen: Bool = false
  ) {
    self.batch = batch
    self.isOrdered = isOrdered
    self.window = window ?? (isOrdered ? 32_768 : 8_192)
    self.start = start
    self.deadlineMilliseconds = deadlineMilliseconds
    self.leavesJobsOpen = leavesJobsOpen
  }

  /// A job that waits for the batch's time does not use up its own.
  func deadline(ofJobsSubmittedAt now: Moment) -> Moment? {
    let start = max(now, terms?.startsAt ?? now)
    let own = deadlineMilliseconds.map { start.advanced(byMilliseconds: $0) }
    return [own, terms?.deadline].compactMap { $0 }.min()
  }

  /// Jobs in one message.
  static let chunk = 256
  /// Text in one message, a job more or less.
  static let messageBytes = 1 << 20
  /// A producer that has nothing to submit says that it lives.
  static let lifeSignMilliseconds: Int64 = 20_000
  /// Messages without a receipt.
  static let unreceipted = 8
}
