package import Pipeline

/// What memory knows of an open job.
extension Dispatcher {
  /// The ledger knows all that memory does.
  func isAsInLedger(_ entry: Entry) -> Bool {
    entry.isAsInLedger && !suspects.hasAnything(on: entry.job.id)
  }

  package struct Entry: Sendable {
    package enum Place: Hashable, Sendable {
      case queued
      case leased(Lease, to: WorkerID)
      case scheduled
      /// Another job asks the same; this one gets a copy of its row.
      case waiting(JobID)
    }

    package var job: Job
    /// The batch whose terms it goes by.
    let payer: BatchID
    package var host: String
    package var attempts: UInt16
    package private(set) var crashes: UInt8
    /// Those of them that count for nothing: whether the last of three was one, an earlier aggregator did not live to
    /// know, and such a job has another try, alone.
    private var forgiven: UInt8
    package var arrivedAt: Moment
    package var place: Place
    /// The lease that was lost last, while no other worker has had the job, and whether its crash is still charged.
    var lost: (lease: Lease, isCharged: Bool)?
    /// It waits for its `turnHost`.
    var isQueued = false
    /// How often it left its line before its turn.
    package var waits: UInt32 = 0
    /// Why it is to be tried again.
    package var lastFailure: Failure?
    /// Where its walk goes on that a page led on, and under which host; forgotten when that comes to nothing.
    package var continuation: (walk: Continuation, host: String)?
    /// The version of the cached answer, which the fetcher revalidates.
    package var known: Validators?
    /// A page on its way was not for the cache, so what it leads to is not either.
    package var isUncacheable = false

    /// Workers that it is held to have died on.
    package var crashesThatCount: UInt8 { crashes - min(forgiven, crashes) }

    /// A worker is on it.
    package var isLeased: Bool { if case .leased = place { true } else { false } }

    /// The ledger knows all that it does.
    var isAsInLedger: Bool {
      crashes == 0 && lost == nil && lastFailure == nil && continuation == nil && known == nil
    }

    /// What is kept because its page is read and its endpoint is not.
    package var oembedBytes: Int { continuation?.walk.oembed?.bytes ?? 0 }

    /// Where it waits for its turn.
    package var turnHost: String { continuation?.host ?? host }

    init(
      job: Job, host: String, life: JobLife, arrivedAt: Moment, payer: BatchID
    ) {
      self.payer = payer
      (self.job, self.host, self.arrivedAt, place) = (job, host, arrivedAt, .queued)
      (attempts, crashes) = (life.attempts, life.crashes)
      forgiven = life.crashes - min(life.crashes, JobLife.crashesUntilPoisoned - 1)
    }

    package mutating func crashed() {
      if crashes < .max { crashes += 1 } else { forgiven -= min(forgiven, 1) }
    }

    /// - Returns: False when it has none that could be taken back.
    package mutating func absolved(of token: LeaseToken) -> Bool {
      guard crashes > 0 else { return false }
      crashes -= 1
      if lost?.lease.token == token { lost?.isCharged = false }
      attempts -= min(attempts, 1)
      return true
    }
  }
}
