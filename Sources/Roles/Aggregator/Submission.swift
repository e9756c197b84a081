import Links
import Pipeline

/// Jobs on their way into the ledger.
struct Submission: Sendable {
  /// What a producer sent; nil for calls of a run.
  var submit: Submit?
  var incoming: JobsIn
  /// Those that can be done.
  var jobs: [(job: Job, host: String, link: WebURL?)] = []
  /// What may be renewed of what is kept, by job.
  var known: [JobID: Validators] = [:]
  /// None of its jobs was in a message before.
  var goesOn = false
  /// Those that memory has before the ledger; nil when they wait for its answer.
  var admitted: [JobID]?
  /// Those that are left in the ledger, to be read when it is their turn.
  var left: [Job] = []

  init(_ submit: Submit?, _ incoming: JobsIn) {
    (self.submit, self.incoming) = (submit, incoming)
  }

  /// Takes jobs out that need not be done, or not yet.
  mutating func leaveOut(_ findings: [JobID: Aggregator.CacheFinding]) {
    for item in exchange(&jobs, with: []) {
      switch findings[item.job.id] {
      case .answer: continue
      case .notRead: left.append(item.job)
      case .mayBeRenewed(let validators):
        known[item.job.id] = validators
        jobs.append(item)
      case nil: jobs.append(item)
      }
    }
  }
}
