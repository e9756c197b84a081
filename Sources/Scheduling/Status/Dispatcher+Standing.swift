package import Pipeline

/// What a job that is not over waits for.
package enum JobStanding: Hashable, Sendable {
  /// A worker has it.
  case worker(WorkerID)
  /// The time of its next attempt.
  case retry
  /// Another job asks the same, and this one gets a copy of its row.
  case row(of: JobID)
  /// A worker may have died of it: it waits until suspects of other groups are through.
  case suspects(count: Int)
  case hostGivenUp(host: String, until: Moment)
  case hostPause(host: String, until: Moment)
  /// Its host is paused by users.
  case hostHeld(host: String)
  /// Everything is paused by users.
  case allPaused
  /// The ledger's disk has no room for what would come of it.
  case room
  case batch(BatchHold)
  /// As many jobs as the host may have at once are under way there.
  case hostSlot(host: String, running: Int)
  /// No fetcher takes another job.
  case credit
  /// Nothing but its turn.
  case turn
}

/// Why no job of a batch may start.
package enum BatchHold: Hashable, Sendable {
  case paused
  case starts(at: Moment)
  /// As many jobs as it may have are under way, or as many have started as its rate allows.
  case limit
}

extension Dispatcher {
  /// - Parameter host: What the job waits for when memory does not have it.
  package func standing(of id: JobID, in batch: BatchID, host: String, at now: Moment) -> JobStanding {
    let entry = jobs[id]
    switch entry?.place {
    case .leased(_, to: let worker): return .worker(worker)
    case .scheduled: return .retry
    case .waiting(let leader): return .row(of: leader)
    case .queued, nil: break
    }
    if isHeldBack { return .room }
    if limits.isAllPaused { return .allPaused }
    if let hold = limits.hold(of: entry?.payer ?? payer(of: batch)) { return .batch(hold) }
    if suspects.knows(id) { return .suspects(count: suspects.count) }
    let host = entry?.turnHost ?? host
    if let verdict = health.verdict(on: host, at: now) {
      return .hostGivenUp(host: host, until: verdict.until)
    }
    if hosts.isHeld(host: host) { return .hostHeld(host: host) }
    let (running, waitsForPlace) = hosts.hosts[host].map { ($0.running, $0.waitsForPlace) } ?? (0, false)
    if waitsForPlace { return .hostSlot(host: host, running: running) }
    switch hosts.availability(host: host, at: now) {
    case .later(let moment), .soon(notBefore: let moment?): return .hostPause(host: host, until: moment)
    case .soon(notBefore: nil): return .hostSlot(host: host, running: running)
    case .now: return hasFreeCredit ? .turn : .credit
    }
  }

  /// Jobs of memory that could start now if there were credit for all of them.
  package func runnable(at now: Moment) -> Int { limits.isAllPaused ? 0 : hosts.startable(at: now) }

  /// Open jobs that workers may have died of.
  package var suspectCount: Int { suspects.count }

  /// Further jobs that fetchers would take.
  package var freeCreditInAll: UInt64 { fetchers.values.reduce(0) { $0 + $1.lane.available } }

  /// Jobs that wait for a host in memory; more may wait in the ledger.
  package func waiting(forHost host: String) -> Int { hosts.count(host: host) }
}

extension HostQueue {
  func startable(at now: Moment) -> Int {
    hosts.reduce(0) { sum, line in
      let (name, host) = line
      guard host.nextStart <= now, !host.waitsForPlace, !isHeld(host: name) else { return sum }
      let waiting = host.items.starts.counts.reduce(0) {
        rotations.starts.turns.isHeld($1.number) ? $0 : $0 + $1.count
      }
      let slots = max(0, (host.limit ?? host.pace.atOnce) - host.running)
      return sum + min(waiting, host.pace.delayMilliseconds > 0 ? min(1, slots) : slots)
    }
  }
}
