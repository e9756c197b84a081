import Pipeline

/// When a final status is a failure of the steps that follow.
enum StatusRule {
  /// Statuses that may pass when the peer had a bad moment.
  static let passing: Set<Int> = [408, 425, 429, 502, 503, 504]

  /// Too many requests, or unavailable for a while.
  static func asksForPeace(_ response: FetchResponse) -> Bool {
    response.status == 429 || response.status == 503
  }

  /// - Returns: nil when the page behind the status can be used.
  static func failure(of response: FetchResponse, url: String) -> Failure? {
    guard response.status >= 400 else { return nil }
    let retryable = passing.contains(response.status)
    return Failure(
      .httpStatus, at: .headers, "fetch \(url): the server answered \(response.status)",
      retryable: retryable,
      retryAfterMilliseconds: retryable ? retryAfter(response) : nil)
  }

  /// Retry-After in its form of seconds.
  private static func retryAfter(_ response: FetchResponse) -> Int64? {
    guard let text = response.header("retry-after"), let seconds = Int64(text), seconds >= 0 else {
      return nil
    }
    return min(seconds, RetryRule.longestWaitMilliseconds / 1_000) * 1_000
  }
}
