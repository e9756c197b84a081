import JSONQuery
package import Pipeline

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
