package import Pipeline

/// What memory holds of each host: no more than it can start soon.
extension Dispatcher {
  /// Something waits for the host or is under way there, or it pauses.
  package func isBusy(host: String) -> Bool {
    hosts.knows(host: host) || singleFlight.waiterCount(host: host) > 0
  }

  /// How many jobs of a batch and host memory wants to have; what waits for a host that is given up ends at once.
  ///
  /// - Parameter lines: Batches that have more for the host in the ledger.
  package func share(of batch: BatchID, host: String, among lines: Int, at now: Moment) -> Int {
    if health.verdict(on: host, at: now) != nil { return Backlog.share }
    if case .later = hosts.availability(host: host, at: now) { return 0 }
    let payer = payer(of: batch)
    let (own, others) = (Int(hosts.weight(of: payer)), max(0, lines - 1) * Int(BatchTerms.normalWeight))
    let all = max(own + others, Int(clamping: hosts.weight(with: payer, host: host)))
    let most = min(hosts.mostSoon(host: host), .max / Int(BatchTerms.mostWeight))
    return max(1, most * own / all)
  }

  /// How many of so many jobs are the part of a batch, among all that have jobs waiting here.
  package func part(of batch: BatchID, in count: Int) -> Int {
    let payer = payer(of: batch)
    let part = Double(count) * Double(hosts.weight(of: payer)) / Double(hosts.weight(with: payer))
    return Int(part)
  }

  /// How many more jobs of a host memory has room for, of whatever batch: those that find none wait in the ledger for
  /// their turn.
  package func room(host: String, at now: Moment) -> Int {
    if health.verdict(on: host, at: now) != nil { return Backlog.share }
    let most = hosts.mostSoon(host: host).multipliedReportingOverflow(by: 2)
    return (most.overflow ? .max : most.partialValue) - hosts.count(host: host)
      - singleFlight.surplus(host: host)
  }

  /// How many jobs a host like others can start soon.
  package var mostSoon: Int { min(hosts.mostSoon(host: ""), Backlog.share) }

  /// Those that it has. Waiters for another's row, which the host is not asked for, count once it has more of them than it may.
  package func held(of batch: BatchID, host: String) -> Int {
    hosts.count(of: payer(of: batch), host: host) + singleFlight.surplus(of: batch, host: host)
  }

  /// Jobs of a batch that wait for any host, or for the rows of others.
  package func held(of batch: BatchID) -> Int {
    hosts.count(of: payer(of: batch)) + singleFlight.waiterCount(of: batch)
  }

  /// Jobs that go back to the ledger because their hosts pause for long, and would take the room of those that can run.
  package mutating func takePausing(at now: Moment) -> [Entry] {
    var taken: [Entry] = []
    for host in exchange(&pausing, with: []) {
      guard case .later = hosts.availability(host: host, at: now) else { continue }
      taken += takeOut(hosts.takeAll(host: host, in: .starts), withWaiters: false, at: now)
    }
    return taken
  }

  /// Takes the jobs that wait out of batches that are shut, so that they take no room and no other job waits for their
  /// rows.
  package mutating func takeShut(at now: Moment) -> [Entry] {
    guard isBounded, mayHoldShut else { return [] }
    mayHoldShut = false
    var taken: [Entry] = []
    for batch in limits.batches where limits.isShut(batch) && hosts.count(of: batch) > 0 {
      taken += takeOut(hosts.takeAll(of: batch, at: now), withWaiters: true, at: now)
    }
    return taken
  }

  /// A job of which memory knows more than the ledger stays.
  ///
  /// - Parameter withWaiters: Also jobs for whose rows others wait.
  private mutating func takeOut(_ waiting: [Waiter], withWaiters: Bool, at now: Moment) -> [Entry] {
    var taken: [Entry] = []
    for waiter in waiting {
      guard case .job(let id, ticket: _) = waiter, isWanted(waiter), let entry = jobs[id] else { continue }
      jobs[id]?.isQueued = false
      if isAsInLedger(entry), withWaiters || waiters(of: id).isEmpty {
        _ = removed(id, at: now)
        taken.append(entry)
      } else {
        enqueue(id, entry, at: now)
      }
    }
    return taken
  }
}

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
