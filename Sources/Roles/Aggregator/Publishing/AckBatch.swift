import Pipeline

/// What may wait a few milliseconds for company: acknowledgements and rows. Waking a receiver costs more than
/// what it is told.
struct AckBatch {
  static let delayMilliseconds: Int64 = 5
  static let enough = 64

  private var acknowledged: [WorkerID: [LeaseToken]] = [:]
  private var count = 0
  /// When it must go out; nil when nothing waits.
  private(set) var due: Moment?

  mutating func acknowledge(_ token: LeaseToken, of worker: WorkerID, at now: Moment) {
    acknowledged[worker, default: []].append(token)
    note(0, at: now)
  }

  /// There may be rows for readers, or a reader asked for rows.
  mutating func note(_ rows: Int = 1, at now: Moment) {
    count += rows
    due = due ?? now.advanced(byMilliseconds: Self.delayMilliseconds)
  }

  /// - Parameter isQuiet: No worker is on anything, so that no company can come.
  /// - Returns: What to acknowledge, once it is time or there is enough of it; nil before.
  mutating func take(at now: Moment, isQuiet: Bool) -> [WorkerID: [LeaseToken]]? {
    guard let due, isQuiet || due <= now || count >= Self.enough else { return nil }
    defer { self = AckBatch() }
    return acknowledged
  }
}
