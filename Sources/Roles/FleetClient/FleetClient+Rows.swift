package import Pipeline

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
          address: aggregator, milliseconds: Int64(RowReading.mostFruitless) * 1_000,
          refusal: outbox?.outlet.refusal)
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

/// Which rows of a batch have come, which are wanted next, and when there are no more. A pure value.
struct RowReading {
  /// Rows that may be under way.
  static let window: UInt64 = 8_192
  /// Questions in a row without an answer, each a second, after which none is expected.
  static let mostFruitless = 10

  private let follows: Bool
  private(set) var arrived: UInt64 = 0
  private(set) var count: UInt64 = 0
  private(set) var isOver = false
  private var there: UInt64
  private var askedAfter: UInt64?
  private var bytesSinceAsked = 0
  private var fruitless = 0
  private var order: RowOrder

  /// - Parameters:
  ///   - there: The number of the last row when the reading began.
  ///   - after: Rows up to this number are not wanted.
  init(isOrdered: Bool, follows: Bool, there: UInt64, after: UInt64 = 0) {
    self.follows = follows
    self.there = there
    arrived = after
    order = RowOrder(isOrdered: isOrdered)
    if !follows, there <= after { isOver = true }
  }

  /// Nothing is to come that was there at the beginning, or that a reader waits for.
  var hasAll: Bool { follows ? isOver : arrived >= there }

  /// Half of what comes unasked has come; a question now keeps rows coming.
  var wantsMore: Bool {
    arrived >= (askedAfter ?? 0).saturating(plus: Self.window / 2)
      || bytesSinceAsked >= Followers.mostBytesUnderWay / 2
  }

  mutating func asks(for batch: BatchID) -> Query.Question {
    askedAfter = arrived
    bytesSinceAsked = 0
    let limit = arrived.saturating(plus: Self.window)
    return .copies(of: batch, after: arrived, limit: follows ? limit : min(limit, there))
  }

  /// - Parameter number: The row before the first of them; when that has not come, a lane lost rows, and all from there
  ///   on are asked for again.
  /// - Returns: The rows that may go out now.
  mutating func took(_ rows: [NumberedRow], after number: UInt64) -> [NumberedRow] {
    guard number <= arrived else { return [] }
    fruitless = 0
    // No more are there: a job that is tried once more takes its row with it.
    if !follows, rows.isEmpty { isOver = true }
    let fresh = rows.filter { $0.number > arrived && (follows || $0.number <= there) }
    guard let last = fresh.last else { return [] }
    arrived = last.number
    count += UInt64(fresh.count)
    bytesSinceAsked += fresh.reduce(0) { $0 + $1.json.count }
    if !follows, arrived >= there { isOver = true }
    return order.arrived(fresh, submitted: .max)
  }

  /// The batch is complete, and has no row beyond this number.
  mutating func isComplete(at rows: UInt64) {
    if arrived >= rows { isOver = true }
  }

  /// A second went by without any row.
  ///
  /// - Returns: Whether rows that are there do not come.
  mutating func heardNoRow() -> Bool {
    fruitless += 1
    return !follows && fruitless >= Self.mostFruitless
  }

  /// What was still held back for rows that do not exist.
  mutating func rest() -> [NumberedRow] { order.rest() }
}

extension UnsignedInteger where Self: FixedWidthInteger {
  /// Numbers come from others, who may claim anything.
  func saturating(plus other: Self) -> Self {
    let (sum, isTooLarge) = addingReportingOverflow(other)
    return isTooLarge ? .max : sum
  }
}
