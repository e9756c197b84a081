package import Pipeline

/// Whether a worker reaches its fleet's aggregator, and when its log is to say so. A pure value.
package struct FleetContact: Hashable, Sendable {
  package enum News: Hashable, Sendable {
    /// It has not been reached for so long.
    case unreached(milliseconds: Int64)
    case lost
    case reached(afterMilliseconds: Int64)
  }

  /// A worker that starts with its aggregator waits a moment for it.
  static let firstMilliseconds: Int64 = 2_000
  /// One that is lost says why after a while, if it does not come back.
  static let lostMilliseconds: Int64 = 10_000
  /// Between two lines that say the same.
  static let againMilliseconds: Int64 = 300_000

  /// nil while the lane is up.
  private var downSince: Moment?
  private var nextTelling: Moment
  private var isTold = false

  package init(at now: Moment) {
    (downSince, nextTelling) = (now, now.advanced(byMilliseconds: Self.firstMilliseconds))
  }

  package mutating func lane(isUp: Bool, at now: Moment) -> News? {
    guard isUp == (downSince != nil) else { return nil }
    guard let since = downSince else {
      (downSince, nextTelling, isTold) = (now, now.advanced(byMilliseconds: Self.lostMilliseconds), true)
      return .lost
    }
    defer { (downSince, isTold) = (nil, false) }
    return isTold ? .reached(afterMilliseconds: now.milliseconds(since: since)) : nil
  }

  package mutating func passed(at now: Moment) -> News? {
    guard let since = downSince, now >= nextTelling else { return nil }
    (nextTelling, isTold) = (now.advanced(byMilliseconds: Self.againMilliseconds), true)
    return .unreached(milliseconds: now.milliseconds(since: since))
  }
}
