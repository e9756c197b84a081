package import Pipeline

/// What a test looks at to find what is never let go.
extension Aggregator {
  /// How much it keeps of jobs and of those who work on them, by name; all of it is 0 when nothing is open.
  package var remains: [String: Int] {
    dispatcher.remains.merging(registry.remains) { $1 }.merging(runs.remains) { $1 }
  }

  /// Jobs that no rule keeps from being given out, while a fetcher has room for one.
  package struct IdleJobs: Sendable {
    /// Turns of the loop so far.
    package var turn: UInt64
    package var inMemory: [JobID] = []
    /// Those that have to be read first.
    package var inLedger: [JobID] = []
  }

  /// - Parameter ready: What the ledger says.
  package func idleJobs(among ready: [OpenJob]) -> IdleJobs {
    var idle = IdleJobs(turn: turns)
    guard dispatcher.hasFreeCredit else { return idle }
    let now = ports.clock.now
    for open in ready where isOurs(open) && interruptions[open.job.batch] == nil {
      guard dispatcher.mayStart(open, at: now) else { continue }
      if dispatcher.jobs[open.job.id] == nil {
        idle.inLedger.append(open.job.id)
      } else {
        idle.inMemory.append(open.job.id)
      }
    }
    return idle
  }
}

extension Dispatcher {
  /// Its host may be asked now, and it does not wait for another's row, to run alone, or in the ledger for a host's
  /// waiters to end.
  fileprivate func mayStart(_ open: OpenJob, at now: Moment) -> Bool {
    guard let host = jobs[open.job.id]?.turnHost ?? (try? Intake.host(of: open.job)) else { return false }
    if let entry = jobs[open.job.id] {
      if entry.place != .queued || entry.isSuspect { return false }
    } else if singleFlight.surplus(host: host) > 0 {
      return false
    }
    return open.life.crashes < JobLife.crashesUntilAlone && health.verdict(on: host, at: now) == nil
      && hosts.availability(host: host, at: now) == .now
  }
}
