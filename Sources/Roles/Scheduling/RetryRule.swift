import Links
package import Pipeline

/// When a job that failed for a passing reason is tried again.
///
/// The n-th retry waits min(5 min, 2 s · 2ⁿ⁻¹) × a jitter of 0.5…1.5. A peer's Retry-After counts instead when it
/// asks for longer, up to the same cap of five minutes.
package struct RetryRule: Hashable, Sendable {
  static let longestWaitMilliseconds: Int64 = 300_000
  /// With its jitter.
  package static let longestPauseMilliseconds = longestWaitMilliseconds / 2 * 3

  /// Attempts beyond the first.
  var retries: UInt16

  package init(retries: UInt16 = 3) {
    self.retries = retries
  }

  /// For how long in all a host's answers may have its jobs wait, in milliseconds: as long as the retries of one job may
  /// take, at most a quarter of an hour, and a minute without retries.
  package var longestPeaceInAll: Int64 {
    retries == 0 ? 60_000 : Self.longestWaitMilliseconds * Int64(min(retries, 3))
  }

  /// How long a host that asked for it is left in peace.
  package func peace(after failure: Failure, at now: Moment) -> Moment {
    now.advanced(
      byMilliseconds: min(failure.retryAfterMilliseconds ?? 0, Self.longestWaitMilliseconds))
  }

  /// - Parameters:
  ///   - attempt: The attempt that failed, from 1.
  ///   - jitter: Uniform in 0..<1.
  /// - Returns: Milliseconds to wait, or nil when it is not to be tried again.
  package func wait(after attempt: UInt16, _ failure: Failure, jitter: Double) -> Int64? {
    guard failure.retryable, attempt <= retries else { return nil }
    let doublings = min(Int64(attempt) - 1, 16)
    let base = min(Self.longestWaitMilliseconds, 2_000 << max(0, doublings))
    let jittered = Int64(Double(base) * (0.5 + min(max(jitter, 0), 1)))
    let asked = min(failure.retryAfterMilliseconds ?? 0, Self.longestWaitMilliseconds)
    return max(jittered, asked)
  }
}

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

/// How long a server asks to be left in peace: seconds, or the date at which it is over (RFC 9110, 10.2.3).
package enum RetryAfter {
  /// - Parameters:
  ///   - text: The header's value.
  ///   - date: The response's own date: a server's clock may be wrong, and then so is what it asks for.
  /// - Returns: Milliseconds, at most what `RetryRule` waits; nil when the text is neither form.
  package static func milliseconds(_ text: String, date: String? = nil, at now: Moment) -> Int64? {
    let value = text.trimmingWhitespace
    if !value.isEmpty, value.utf8.allSatisfy({ (48...57).contains($0) }) {
      let seconds = Int64(value) ?? .max
      return min(seconds, RetryRule.longestWaitMilliseconds / 1_000) * 1_000
    }
    guard let until = HTTPDate.moment(value, at: now) else { return nil }
    let sentAt = date.flatMap { HTTPDate.moment($0.trimmingWhitespace, at: now) } ?? now
    return min(max(0, until.milliseconds(since: sentAt)), RetryRule.longestWaitMilliseconds)
  }
}

extension String {
  fileprivate var trimmingWhitespace: String {
    String(trimming { $0 == " " || $0 == "\t" })
  }
}
