/// Bounds what retries add to the traffic of a run, so that an outage is not multiplied.
///
/// Every first attempt saves a share of a retry, every retry spends a whole one. A new run has a reserve, so that the
/// first failures are not the last; savings are capped, so that a run of weeks does not save up for an onslaught.
public struct RetryBudget: Hashable, Sendable {
  /// Retries that are allowed from the start.
  public static let reserve: Int64 = 100
  /// Retries that can be saved, the reserve included.
  public static let mostSaved: Int64 = 10_000

  /// What a first attempt saves, in hundredths of a retry.
  public let percent: Int
  /// In hundredths of a retry.
  private var saved = reserve * 100
  /// Retries that it refused.
  public private(set) var refused: UInt64 = 0

  /// - Parameter percent: What a first attempt saves, in hundredths of a retry.
  public init(percent: Int = 20) {
    self.percent = max(0, percent)
  }

  /// Retries that may be made now.
  public var left: Int64 { saved / 100 }

  public mutating func firstAttemptEnded() {
    saved = min(Self.mostSaved * 100, saved + Int64(percent))
  }

  /// Spends a retry; false when there is none left.
  public mutating func spend() -> Bool {
    guard saved >= 100 else {
      refused += 1
      return false
    }
    saved -= 100
    return true
  }
}
