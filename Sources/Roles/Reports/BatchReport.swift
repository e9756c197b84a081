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
    (counts, terms) = (BatchCounts(batch.progress), TermsReport(batch.terms))
    // Requeued jobs leave numbers without rows.
    unread = min(batch.unread, batch.progress.settled)
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

/// What the ledger's care says of itself: the schema `halyard.ledger/1`.
package struct LedgerReport: Encodable, Hashable, Sendable {
  package enum State: String, Encodable, Sendable {
    case working, done, failed
  }

  private(set) var schema = "halyard.ledger/1"
  /// What is done, in the word of the command.
  var verb: String
  package var state = State.working
  /// What happened, and what to do.
  package var cause: String?
  /// Jobs that were forgotten, or counted.
  var jobs: Int?
  /// Bytes that were copied, or given back.
  var bytes: Int64?
  /// Bytes there are to copy, or that are still free.
  var total: Int64?
  /// Where the copy is.
  var path: String?

  init(of task: LedgerTask) {
    verb =
      switch task {
      case .size: "size"
      case .copy: "backup"
      case .forget: "prune"
      case .shrink: "compact"
      }
  }

  package static func failed(_ task: LedgerTask, _ cause: String) -> LedgerReport {
    var report = LedgerReport(of: task)
    report.fail(cause)
    return report
  }

  /// A copy was put in its place.
  package static func copied(to path: String, bytes: Int64?) -> LedgerReport {
    var report = LedgerReport(of: .copy)
    (report.state, report.bytes, report.total, report.path) = (.done, bytes, bytes, path)
    return report
  }

  mutating func fail(_ cause: String) { (state, self.cause) = (.failed, cause) }

  package var json: [UInt8] { RawJSON(of: self).bytes }
}

/// What the ledger takes on its disk, by what it is for.
struct LedgerRoom: Encodable, Sendable {
  var bytes: Int64
  var parts: Members<Int64>
  /// When the last job of the oldest complete batch was over.
  @OrNull var oldest: Moment? = nil

  init(_ size: LedgerSize) {
    bytes = size.bytes
    parts = Members(LedgerSize.Part.allCases.map { ($0.rawValue, size[$0]) })
    oldest = size.oldest
  }
}

/// The answer to a question about the size, of the schema `halyard.ledger/1`.
package struct LedgerSizeReport: Encodable, Sendable {
  struct Prunable: Encodable, Sendable {
    var jobs: UInt64
    /// Those whose batch has no unconfirmed row.
    var read: UInt64
    var bytes: Int64
  }

  @Flat var head: LedgerReport
  @Flat var room: LedgerRoom
  var jobs: Members<UInt64>
  var batches: UInt64
  var prunable: Prunable

  package init(_ size: LedgerSize) {
    var head = LedgerReport(of: .size)
    head.state = .done
    (self.head, room, batches) = (head, LedgerRoom(size), size.batches)
    let counts = size.jobs.byState.all.map { ($0.name, UInt64(clamping: $0.value)) }
    jobs = Members(counts + [("done", size.done), ("cancelled", size.cancelled)])
    prunable = Prunable(
      jobs: size.forgettable, read: size.forgettableRead, bytes: size.forgettableBytes)
  }

  package var json: [UInt8] { RawJSON(of: self).bytes }
}

extension JobCounts {
  /// By the names of their states.
  var byState: Members<Int> {
    Members([
      ("waiting", waiting), ("ready", ready), ("leased", leased), ("scheduled", scheduled), ("failed", dead),
    ])
  }
}
