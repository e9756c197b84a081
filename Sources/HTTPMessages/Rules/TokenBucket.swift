/// How often something may happen: a burst at once, then so many a second. It starts full.
public struct TokenBucket: Hashable, Sendable {
  /// Milliseconds in which a token comes, and in which all of them do.
  private let pause: Double
  private let whole: Double
  private var fullAt: Double

  /// - Parameters:
  ///   - burst: At least 1.
  ///   - perSecond: More than 0.
  public init(burst: Int, perSecond: Double, at now: Milliseconds) {
    pause = 1_000 / max(perSecond, 0.001)
    whole = pause * Double(max(1, burst))
    fullAt = Double(now)
  }

  /// Takes a token. If there is none, returns in how many seconds there will be one, for `Retry-After`.
  public mutating func take(at now: Milliseconds) -> Int? {
    let next = max(fullAt, Double(now)) + pause
    let wait = next - whole - Double(now)
    guard wait <= 0 else { return Int((wait / 1_000).rounded(.up)) }
    fullAt = next
    return nil
  }

  /// Whether it equals a new bucket, and need not be kept.
  public func isFull(at now: Milliseconds) -> Bool { fullAt <= Double(now) }
}
