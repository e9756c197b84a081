import Links
import Pipeline

/// Failures that only the aggregator can see.
extension Failure {
  static func overdue(_ entry: Dispatcher.Entry, _ now: Moment) -> Failure {
    let waited = now.milliseconds(since: entry.arrivedAt)
    return Failure(
      .deadline, at: .queue,
      "\(shown(entry)): not done by its deadline, \(waited) ms after it was submitted\(told(entry.lastFailure)); give it longer with --deadline"
    )
  }

  /// For a job that memory never saw.
  static func overdue(_ job: Job, attempts: UInt16) -> Failure {
    Failure(
      .deadline, at: .queue,
      "fetch \(printableLink(job.input ?? "")): not done by its deadline, after \(attempts) attempts; give it longer with --deadline"
    )
  }

  static func cancelled(_ cause: String, after last: Failure? = nil) -> Failure {
    Failure(.cancelled, at: .queue, "cancelled: \(cause)\(told(last))")
  }

  static func poisoned(_ entry: Dispatcher.Entry) -> Failure {
    Failure(
      .poisoned, at: .queue,
      "\(shown(entry)): \(JobLife.crashesUntilPoisoned) workers died on it; it will not be tried again")
  }

  private static func shown(_ entry: Dispatcher.Entry) -> String {
    "fetch \(printableLink(entry.job.input ?? ""))"
  }

  private static func told(_ last: Failure?) -> String {
    last.map { "; the last attempt ended so: \($0.message)" } ?? ""
  }
}
