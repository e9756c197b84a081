package import Pipeline
import Scheduling

/// How rows of a batch are read.
package struct RowCopies: Sendable {
  package var batch: BatchID
  /// Rows come out in the order of submission; those that came early wait in memory.
  package var isOrdered: Bool
  /// Goes on until the batch is complete, instead of ending with the rows that are there.
  package var follows: Bool
  /// Rows up to this number are left out.
  package var after: UInt64
  /// Rows beyond this number are left out, of a batch that is not followed.
  package var upTo = UInt64.max

  package init(of batch: BatchID, isOrdered: Bool = false, follows: Bool = false, after: UInt64 = 0) {
    self.batch = batch
    self.isOrdered = isOrdered
    self.follows = follows
    self.after = after
  }
}

/// Rows of a batch that cannot be read to their end any more.
package struct RowsLost: Error, Hashable, Sendable {
  package enum Cause: Hashable, Sendable {
    /// The batch was deleted meanwhile.
    case deleted
    /// A copy of before was put in the ledger's place: rows have other numbers since.
    case otherLedger
  }

  package var batch: BatchID
  package var cause: Cause

  package init(of batch: BatchID, _ cause: Cause) {
    (self.batch, self.cause) = (batch, cause)
  }
}

extension FleetClient {
  /// A reader that is served well also says now and then that it is there.
  private static let askingMilliseconds: Int64 = 20_000

  /// Reads rows into `sink`, each once, and leaves them there for others.
  ///
  /// - Parameter onProgress: Told every second how far the batch is, and at the end of a batch that is followed.
  /// - Returns: How many rows there were; nil when there is no such batch.
  /// - Throws: `RowsLost` when the rows that came are not all, or may be others.
  package func copy(
    _ copies: RowCopies, into sink: Producer.RowSink,
    onProgress: @Sendable (BatchProgress) async throws -> Void = { _ in }
  ) async throws -> UInt64? {
    guard let start = try await progress(of: copies.batch) else { return nil }
    try await onProgress(start)
    var reading = RowReading(
      isOrdered: copies.isOrdered, follows: copies.follows, there: min(start.rows, copies.upTo),
      after: copies.after)
    while !reading.isOver {
      try await ask(for: reading.asks(for: copies.batch))
      if try await readOn(copies.batch, &reading, into: sink, onProgress) { continue }
      guard !reading.heardNoRow() else {
        throw FleetSilent(
          address: aggregator, milliseconds: Int64(RowReading.mostFruitless) * 1_000, refusal: outbox?.refusal
        )
      }
      // The fleet always answers this, so that silence means that it is gone and not that the batch is slow.
      if !reading.isOver, let progress = try await progress(of: copies.batch, since: start, reading) {
        // Of a reader that asked for rows behind the last one, the fleet does not say that it has them all.
        if progress.isComplete { reading.isComplete(at: progress.rows) }
        try await onProgress(progress)
      }
    }
    try await write(reading.rest(), sink)
    let end = try await progress(of: copies.batch, since: start, reading)
    if copies.follows, let end { try await onProgress(end) }
    return reading.count
  }

  /// Makes sure that what is there now is what was there when the reading began.
  ///
  /// - Returns: nil for a batch that was deleted when all its rows had come.
  private func progress(
    of batch: BatchID, since start: BatchProgress, _ reading: RowReading
  ) async throws -> BatchProgress? {
    guard let progress = try await progress(of: batch) else {
      guard reading.hasAll else { throw RowsLost(of: batch, .deleted) }
      return nil
    }
    guard progress.lineage == start.lineage else { throw RowsLost(of: batch, .otherLedger) }
    return progress
  }

  /// Takes what comes until it is time to ask again.
  ///
  /// - Returns: False when a second went by without any row.
  private func readOn(
    _ batch: BatchID, _ reading: inout RowReading, into sink: Producer.RowSink,
    _ onProgress: @Sendable (BatchProgress) async throws -> Void
  ) async throws -> Bool {
    let again = ports.clock.now.advanced(byMilliseconds: Self.askingMilliseconds)
    var lastRow = ports.clock.now
    while !reading.isOver, !reading.wantsMore, ports.clock.now < again {
      let burst = try await receive()
      let before = reading.arrived
      for message in burst {
        switch message {
        case .answer(.rows(of: batch, let after, let rows)):
          try await write(reading.took(rows, after: after), sink)
        case .answer(.complete(batch, let rows)): reading.isComplete(at: rows)
        default: break
        }
      }
      let now = ports.clock.now
      // That there is nothing more yet is said at once, and need not be asked at once again.
      if reading.arrived > before {
        lastRow = now
      } else if !reading.isOver, now.milliseconds(since: lastRow) >= Heartbeat.resendMilliseconds {
        return false
      }
    }
    return true
  }

  private func write(_ rows: [NumberedRow], _ sink: Producer.RowSink) async throws {
    if !rows.isEmpty { try await sink(rows) }
  }
}
