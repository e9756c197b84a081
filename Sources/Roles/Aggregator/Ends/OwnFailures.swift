import Links
import Pipeline
import Recipes
import Scheduling

/// Failures that only the aggregator can see.
extension Failure {
  static func overdue(_ entry: Dispatcher.Entry) -> Failure {
    Failure(
      .deadline, at: .queue,
      "\(shown(entry.job)): not done by its deadline\(shown(entry.job.deadline))\(told(entry.lastFailure)); give it longer with --deadline or --finish-by"
    )
  }

  static func overdue(_ run: RunningRecipe, _ now: Moment) -> Failure {
    let running = run.stepStates.filter { $0.phase == .running }.map(\.name)
    let place = running.isEmpty ? "" : ", at \(running.joined(separator: ", "))"
    return Failure(
      .deadline, at: .queue,
      "run \(run.job.input ?? ""): not done by its deadline, \(now.milliseconds(since: run.begunAt)) ms after it was begun\(place); give it longer with --deadline"
    )
  }

  private static func shown(_ deadline: Moment?) -> String { deadline.map { " at \($0.timestamp)" } ?? "" }

  /// For a job that memory never saw.
  static func overdue(_ job: Job, attempts: UInt16) -> Failure {
    Failure(
      .deadline, at: .queue,
      "\(shown(job)): not done by its deadline, after \(attempts) attempts; give it longer with --deadline or --finish-by"
    )
  }

  static func unsound(_ worker: WorkerID) -> Failure {
    Failure(.underlying, at: .page, "worker \(worker): its answer cannot be a part of a row")
  }

  static func cancelled(_ cause: String, after last: Failure? = nil) -> Failure {
    Failure(.cancelled, at: .queue, "cancelled: \(cause)\(told(last))")
  }

  static func differing(from batch: BatchID, _ jobs: DifferingJobs) -> Failure {
    Failure(
      .invalidInput, at: .input,
      "submit to batch \(batch): ordinal \(jobs.first) is not what the batch has there, so nothing was changed; use another batch"
    )
  }

  static func taken(_ batch: BatchID) -> Failure {
    Failure(
      .invalidInput, at: .input,
      "submit to batch \(batch): another process is submitting to it; wait for its end, or use another batch")
  }

  static func withoutLedger(_ batch: BatchID, _ missing: LedgerError) -> Failure {
    Failure(.underlying, at: .queue, "submit to batch \(batch): \(missing.message)")
  }

  static func tooFewJobs(_ submit: Submit) -> Failure {
    Failure(
      .invalidInput, at: .input,
      "submit to batch \(submit.batch): it has more jobs than the \(submit.total ?? 0) that were submitted now; use another batch"
    )
  }

  static func poisoned(_ entry: Dispatcher.Entry) -> Failure {
    Failure(
      .poisoned, at: .queue,
      "\(shown(entry.job)): \(JobLife.crashesUntilPoisoned) workers died on it; it will not be tried again")
  }

  /// So many pages wait for their endpoints that this one cannot.
  static func tooManyOEmbedContinuations(_ entry: Dispatcher.Entry, to endpoint: String) -> Failure {
    Failure(
      .underlying, at: .queue,
      "\(shown(entry.job)): \(printableLink(endpoint)) was not asked, as too many pages wait for their oEmbed endpoints; run it again later",
      retryable: true)
  }

  /// It would be tried again, were it not for all the others that are.
  func withoutRetry(_ budget: RetryBudget) -> Failure {
    var failure = self
    failure.message +=
      "; not tried again: the retries of this run are used up, as too much fails; run it again later, or raise --retry-budget above \(budget.percent)%"
    return failure
  }
}
