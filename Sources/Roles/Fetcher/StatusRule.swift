import Pipeline
import Scheduling

/// When a final status is a failure of the steps that follow.
enum StatusRule {
  /// Statuses that may pass when the peer had a bad moment.
  static let passing: Set<Int> = [408, 425, 429, 502, 503, 504]

  /// Too many requests, or unavailable for a while.
  static func asksForPeace(_ response: FetchResponse) -> Bool {
    response.status == 429 || response.status == 503
  }

  /// - Parameter accepted: The statuses that count as a success; those below 400 when there are none.
  /// - Returns: nil when the page behind the status can be used.
  static func failure(
    of response: FetchResponse, url: String, at now: Moment, accepting accepted: [StatusRange] = []
  ) -> Failure? {
    if accepted.isEmpty ? response.status < 400 : accepted.contains(where: { $0.contains(response.status) }) {
      return nil
    }
    let retryable = passing.contains(response.status)
    let asked = retryable ? response.header("retry-after") : nil
    return Failure(
      .httpStatus, at: .headers,
      "fetch \(url): the server answered \(response.status)\(accepted.isEmpty ? "" : ", which --accept does not list")",
      retryable: retryable,
      retryAfterMilliseconds: asked.flatMap {
        RetryAfter.milliseconds($0, date: response.header("date"), at: now)
      })
  }
}
