import Pipeline

/// Bounds what retries add to the traffic of a run, so that an outage is not multiplied.
///
/// Every first attempt saves a share of a retry, every retry spends a whole one. A new run has a reserve, so that the
/// first failures are not the last; savings are capped, so that a run of weeks does not save up for an onslaught.
package struct RetryBudget: Hashable, Sendable {
  /// Retries that are allowed from the start.
  package static let reserve: Int64 = 100
  /// Retries that can be saved, the reserve included.
  static let mostSaved: Int64 = 10_000

  /// What a first attempt saves, in hundredths of a retry.
  package let percent: Int
  /// In hundredths of a retry.
  private var saved = reserve * 100
  /// Retries that it refused.
  package private(set) var refused: UInt64 = 0

  /// - Parameter percent: What a first attempt saves, in hundredths of a retry.
  package init(percent: Int = 20) {
    self.percent = max(0, percent)
  }

  /// Retries that may be made now.
  package var left: Int64 { saved / 100 }

  package mutating func firstAttemptEnded() {
    saved = min(Self.mostSaved * 100, saved + Int64(percent))
  }

  /// Spends a retry; false when there is none left.
  package mutating func spend() -> Bool {
    guard saved >= 100 else {
      refused += 1
      return false
    }
    saved -= 100
    return true
  }
}
