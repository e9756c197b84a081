import Pipeline

/// Leases that were granted although what batches ask for, or a pause, forbids it. All jobs of a simulation are of one
/// batch, or calls of its runs.
struct SharedGrants: Sendable {
  private var terms = BatchTerms()
  private var pauses: Set<PauseScope> = []
  private var termsSince: Moment?
  private var hosts: [JobID: String] = [:]
  private var leased: Set<JobID> = []
  private var tokens: Set<LeaseToken> = []
  private var started = 0
  private(set) var problems: [String] = []

  /// - Parameter now: When the aggregator decided all this.
  mutating func note(_ events: [LedgerEvent], _ answers: [LedgerAnswer], at now: Moment) {
    // What was paused in the same commit may have been too late.
    let paused = pauses
    for (event, answer) in zip(events, answers) {
      switch (event, answer) {
      case (.submit(let jobs, let places, links: _, from: _), .inserted):
        for (job, host) in zip(jobs, places) { hosts[job.id] = hosts[job.id] ?? host }
      case (.terms, .terms(let terms, _)):
        self.terms = terms
        termsSince = termsSince ?? now
      case (.pause(let scope, _), .applied): pauses.insert(scope)
      case (.unpause(let scope, _), .applied): pauses.remove(scope)
      case (.grant(let job, let lease, to: _), .applied):
        leased.insert(job)
        // A lease that goes on starts nothing.
        guard tokens.insert(lease.token).inserted else { continue }
        started += 1
        check(job, paused.intersection(pauses), at: now)
        // Later a page may have led on to another host.
        hosts[job] = nil
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

  private mutating func check(_ job: JobID, _ paused: Set<PauseScope>, at now: Moment) {
    for scope in paused {
      if case .host(let host) = scope, hosts[job] != host { continue }
      problems.append("\(job) was given out although \(scope) is paused")
    }
    if let start = terms.startsAt, now < start {
      problems.append("\(job) was given out \(start.milliseconds(since: now)) ms before its batch may start")
    }
    checkRate(job, at: now)
    if let atMost = terms.atMost, atMost > 0, leased.count > atMost {
      problems.append("\(job) was given out beside \(leased.count - 1), of at most \(atMost)")
    }
  }

  /// Over all starts so far, with those that a busy loop may catch up with.
  private mutating func checkRate(_ job: JobID, at now: Moment) {
    guard let perHour = terms.perHour, perHour > 0, let termsSince else { return }
    let perSecond = Double(perHour) / 3_600
    let most = perSecond * (Double(now.milliseconds(since: termsSince)) / 1_000 + 0.1) + 2
    if Double(started) > most {
      problems.append("\(job) was the start \(started), and \(Int(most)) were allowed until then")
    }
  }
}
