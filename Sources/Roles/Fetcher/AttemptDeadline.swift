import Pipeline

/// How long a walk may take.
struct AttemptDeadline: Sendable {
  let start: Moment
  /// For the attempt; waiting for turns does not count.
  let milliseconds: Int64
  /// The job's own deadline, for which everything counts.
  let jobDeadline: Moment?

  func deadline(waited: Int64) -> Moment {
    let ours = start.advanced(byMilliseconds: waited).advanced(byMilliseconds: milliseconds)
    return jobDeadline.map { min($0, ours) } ?? ours
  }

  /// A time-out that came from the job's own deadline is no reason to try again.
  func overdue(_ failure: Failure, at now: Moment) -> Failure {
    guard failure.kind == .timeout, let jobDeadline, now >= jobDeadline else { return failure }
    return Failure(.deadline, at: failure.stage, failure.message)
  }
}
