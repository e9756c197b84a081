import JSONQuery
package import Pipeline

/// A batch as `halyard.status/1` and the list of batches have it.
struct BatchReport: Encodable, Sendable {
  var id: BatchID
  var name: String?
  var submitted: String
  var ageMs: Int64
  @Flat var counts: BatchCounts
  /// Rows that no reader has confirmed.
  var unread: UInt64
  var isCancelled: Bool?
  @Flat var terms: TermsReport

  init(_ batch: LedgerBatch, at now: Moment) {
    (id, name, submitted) = (batch.id, batch.terms.name, batch.firstSubmittedAt.timestamp)
    ageMs = max(0, now.milliseconds(since: batch.firstSubmittedAt))
    (counts, terms, unread) = (BatchCounts(batch.progress), TermsReport(batch.terms), batch.unread)
    isCancelled = batch.cancellation == nil ? nil : true
  }
}

/// How many jobs of a batch are where.
package struct BatchCounts: Encodable, Sendable {
  @OrNull var total: UInt64? = nil
  var settled: UInt64
  var done: UInt64
  var failed: UInt64
  var cancelled: UInt64
  @OrNull var open: UInt64? = nil
  var abandoned: Bool?
  var paused: Bool?

  package init(_ progress: BatchProgress) {
    (total, open) = (progress.total, progress.open)
    (settled, done) = (progress.settled, progress.done)
    (failed, cancelled) = (progress.failed, progress.cancelled)
    abandoned = progress.isAbandoned ? true : nil
    paused = progress.isPaused ? true : nil
  }
}

/// Those terms of a batch that differ from the usual ones.
package struct TermsReport: Encodable, Sendable {
  var weight: UInt32?
  var atMost: UInt32?
  var rate: String?
  var startsAt: String?
  var deadline: String?

  package init(_ terms: BatchTerms) {
    weight = terms.share == BatchTerms.normalWeight ? nil : terms.share
    atMost = terms.atMost.flatMap { $0 > 0 ? $0 : nil }
    (rate, startsAt, deadline) = (terms.rate, terms.startsAt?.timestamp, terms.deadline?.timestamp)
  }
}
