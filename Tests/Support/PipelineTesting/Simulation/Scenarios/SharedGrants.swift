import Pipeline

/// Leases that were granted although what batches ask for, or a pause, forbids it. All jobs of a simulation are of one
/// batch, or calls of its runs.
struct SharedGrants: Sendable {
  private var terms = BatchTerms()
  private var pauses: Set<PauseScope> = []
  private var leased: Set<JobID> = []
  private var tokens: Set<LeaseToken> = []
  private(set) var problems: [String] = []

  mutating func note(_ events: [LedgerEvent], _ answers: [LedgerAnswer]) {
    // What was paused in the same commit may have been too late.
    let paused = pauses
    for (event, answer) in zip(events, answers) {
      switch (event, answer) {
      case (.terms, .terms(let terms, _)): self.terms = terms
      case (.pause(let scope), .applied): pauses.insert(scope)
      case (.unpause(let scope), .applied): pauses.remove(scope)
      case (.grant(let job, let lease, to: _), .applied):
        leased.insert(job)
        // A lease that goes on starts nothing.
        if tokens.insert(lease.token).inserted { check(job, paused.intersection(pauses)) }
      case (.retry(let job, _, at: _, cause: _), .applied), (.giveBack(let job, _), .applied),
        (.crash(let job, _), .applied):
        leased.remove(job)
      case (.settle(let settlement), .applied): leased.remove(settlement.job)
      case (.submit, _), (.close, _), (.terms, _), (.pause, _), (.unpause, _), (.grant, _), (.retry, _),
        (.giveBack, _), (.crash, _), (.settle, _), (.abandon, _), (.cancel, _), (.resume, _), (.becameDue, _),
        (.absolve, _), (.confirmRows, _), (.requeue, _), (.seen, _):
        continue
      }
    }
  }

  private mutating func check(_ job: JobID, _ paused: Set<PauseScope>) {
    for scope in paused {
      switch scope {
      case .all, .batch: problems.append("\(job) was given out although \(scope) is paused")
      // A page may have led on to another host.
      case .host: continue
      }
    }
    if let atMost = terms.atMost, atMost > 0, leased.count > atMost {
      problems.append("\(job) was given out beside \(leased.count - 1), of at most \(atMost)")
    }
  }
}
