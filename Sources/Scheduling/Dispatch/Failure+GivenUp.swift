import Links
package import Pipeline

/// A host that is given up, as the rows of its jobs tell of it.
extension Failure {
  /// The host only fails, and nothing more is sent to it for a while.
  static func givenUp(_ entry: Dispatcher.Entry, _ host: String, _ verdict: HostHealth.Verdict) -> Failure {
    let (why, remedy) =
      switch (verdict.isAskedToWait, verdict.kind) {
      case (true, .robots):
        ("the robots.txt of \(host) is not to be had for longer than jobs wait", "raise --retries")
      case (true, _): ("\(host) asks to wait (Retry-After) for longer than jobs do", "raise --retries")
      case (false, _): ("\(verdict.failures) failures in a row at \(host)", "raise --give-up")
      }
    return Failure(
      verdict.kind, at: .queue,
      "\(shown(entry.job)): \(why), given up until \(CivilDate(verdict.until)); requeue later, or \(remedy)\(told(entry.lastFailure))",
      retryable: true)
  }

  /// What a failure calls a job.
  package static func shown(_ job: Job) -> String {
    job.kind == .run ? "run \(job.input ?? "")" : "fetch \(printableLink(job.input ?? ""))"
  }

  /// How the last attempt ended.
  package static func told(_ last: Failure?) -> String {
    last.map { "; the last attempt ended so: \($0.message)" } ?? ""
  }
}
