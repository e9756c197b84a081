import Links
import Pipeline

/// Failures that only the aggregator can see.
extension Failure {
  static func overdue(_ entry: Dispatcher.Entry, _ now: Moment) -> Failure {
    Failure(
      .deadline, at: .queue,
      "fetch \(printableLink(entry.job.input ?? "")): not done by its deadline, \(now.milliseconds(since: entry.arrivedAt)) ms after it was submitted; give it longer with --deadline"
    )
  }

  static func cancelled(_ cause: String) -> Failure {
    Failure(.cancelled, at: .queue, "cancelled: \(cause)")
  }

  static func poisoned(_ entry: Dispatcher.Entry) -> Failure {
    Failure(
      .poisoned, at: .queue,
      "fetch \(printableLink(entry.job.input ?? "")): \(JobLife.crashesUntilPoisoned) workers died on it; it will not be tried again"
    )
  }
}
