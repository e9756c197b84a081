import Pipeline

/// Submitted jobs on their way into the ledger.
struct Submission: Sendable {
  typealias Candidate = (job: Job, host: String, link: LinkKey?)

  var submit: Submit
  /// Those that can be done.
  var jobs: [Candidate]
  /// What may be renewed of what is kept, by job.
  var known: [JobID: Validators] = [:]
  /// Those that are left in the ledger, to be read when it is their turn.
  var left: [Job] = []
  /// The event that closes the batch; nil when more may come.
  var closing: Int?
  /// Runs of it that were cancelled in the very turn in which they came, and why.
  var cancelledRuns: [JobID: String] = [:]
}

/// A client or producer wants to cancel a batch.
struct CancelWish: Sendable {
  var batch: BatchID
  var cancellation: BatchCancellation
  /// Who is answered; nil for a producer, which hears of each job.
  var query: Query?

  init(batch: BatchID, _ cancellation: BatchCancellation, _ query: Query? = nil) {
    (self.batch, self.cancellation, self.query) = (batch, cancellation, query)
  }
}
