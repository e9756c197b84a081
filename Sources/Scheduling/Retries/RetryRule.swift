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
