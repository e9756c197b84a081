import Pipeline

/// Jobs on their way into the ledger.
struct Submission: Sendable {
  /// What a producer sent; nil for calls of a run.
  var submit: Submit?
  var incoming: JobsIn
  /// Those that can be done.
  var jobs: [JobsIn.Item] = []
  /// What may be renewed of what is kept, by job.
  var known: [JobID: Validators] = [:]
  /// The others are in memory before the ledger has them.
  var isAdmitted = false
  /// Those that are left in the ledger, to be read when it is their turn.
  var left: [Job] = []
  /// Runs of it that were cancelled in the very turn in which they came, and why.
  var cancelledRuns: [JobID: String] = [:]

  init(_ submit: Submit?, _ incoming: JobsIn) {
    (self.submit, self.incoming) = (submit, incoming)
  }

  /// What is kept for a job.
  enum Standing {
    case isNew
    case isKnown(Validators)
    case isOver
    case isLeft
  }

  /// Takes jobs out that need not be done, or not yet.
  mutating func leaveOut(_ standing: (JobID) -> Standing) {
    var (known, left) = (known, left)
    jobs.removeAll { item in
      switch standing(item.job.id) {
      case .isNew: return false
      case .isKnown(let validators):
        known[item.job.id] = validators
        return false
      case .isOver: return true
      case .isLeft:
        left.append(item.job)
        return true
      }
    }
    (self.known, self.left) = (known, left)
  }
}

/// A client or producer wants to cancel a batch.
struct CancelWish: Sendable {
  var batch: BatchID
  var cancellation: BatchCancellation
  /// Who is answered; nil for a producer, which hears of each job.
  var query: Query?
}
