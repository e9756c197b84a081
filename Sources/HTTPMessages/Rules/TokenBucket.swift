/// How often something may happen: a burst at once, then so many a second.
public struct TokenBucket: Hashable, Sendable {
  private let burst: Double
  private let perSecond: Double
  private var tokens: Double
  private var filledAt: Milliseconds

  /// It starts full.
  ///
  /// - Parameters:
  ///   - burst: At least 1.
  ///   - perSecond: More than 0.
  public init(burst: Int, perSecond: Double, at now: Milliseconds) {
    (self.burst, self.perSecond) = (Double(max(1, burst)), max(perSecond, 0.001))
    (tokens, filledAt) = (self.burst, now)
  }

  /// Takes a token. If there is none, returns in how many seconds there will be one, for `Retry-After`.
  public mutating func take(at now: Milliseconds) -> Int? {
    refill(at: now)
    guard tokens < 1 else {
      tokens -= 1
      return nil
    }
    let wait = (1 - tokens) / perSecond
    return Int(wait) + (wait > Double(Int(wait)) ? 1 : 0)
  }

  /// Whether it equals a new bucket, and need not be kept.
  public func isFull(at now: Milliseconds) -> Bool {
    var later = self
    later.refill(at: now)
    return later.tokens >= burst
  }

  private mutating func refill(at now: Milliseconds) {
    guard now > filledAt else { return }
    tokens = min(burst, tokens + Double(now - filledAt) / 1_000 * perSecond)
    filledAt = now
  }
}
