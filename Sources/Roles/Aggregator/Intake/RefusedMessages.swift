import Pipeline

/// Messages whose sender is not who they name, or may not say them. A peer can send any number of them.
struct RefusedMessages: Sendable {
  private var nextReport: Moment?
  private var untold: UInt64 = 0

  private static let reportMilliseconds: Int64 = 60_000

  /// Whom a message claims to be from.
  enum Claim: String, CaseIterable, Sendable {
    case client, fetcher, decoder, worker
  }

  /// - Returns: How many came since the last report; nil when it is not time for the next.
  mutating func came(at now: Moment) -> UInt64? {
    untold += 1
    guard nextReport.map({ now >= $0 }) ?? true else { return nil }
    defer { untold = 0 }
    nextReport = now.advanced(byMilliseconds: Self.reportMilliseconds)
    return untold
  }
}
