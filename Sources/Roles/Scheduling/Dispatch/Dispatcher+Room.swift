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

extension Dispatcher {
  /// What a job that is not over waits for.
  ///
  /// - Parameter host: Where the job waits when memory does not have it.
  func expectation(of id: JobID, in batch: BatchID, host: String, at now: Moment) -> JobReport.Expectation {
    var next = reason(for: id, in: batch, host: host, at: now)
    next.waitingForHost = hosts.count(host: host)
    return next
  }

  private func reason(
    for id: JobID, in batch: BatchID, host: String, at now: Moment
  ) -> JobReport.Expectation {
    let entry = jobs[id]
    switch entry?.place {
    case .leased(_, to: let worker): return .init("worker", worker: worker, at: now)
    case .scheduled: return .init("retry", at: now)
    case .waiting(let leader): return .init("row", job: leader, at: now)
    case .queued, nil: break
    }
    if isHeldBack { return .init("room", at: now) }
    if limits.isAllPaused { return .init("resumed_fleet", at: now) }
    if let hold = limits.hold(of: entry?.payer ?? payer(of: batch)) {
      return .init(hold.reason, until: hold.until, at: now)
    }
    if suspects.knows(id) { return .init("other_suspects", suspects: suspects.count, at: now) }
    let host = entry?.turnHost ?? host
    if let verdict = health.verdict(on: host, at: now) {
      return .init("given_up_host", host: host, until: verdict.until, at: now)
    }
    if hosts.isHeld(host: host) { return .init("resumed_host", host: host, at: now) }
    let running = hosts.hosts[host]?.running ?? 0
    if hosts.hosts[host]?.waitsForPlace == true {
      return .init("host", host: host, underWay: running, at: now)
    }
    switch hosts.availability(host: host, at: now) {
    case .later(let moment), .soon(notBefore: let moment?):
      return .init("host_pause", host: host, until: moment, at: now)
    case .soon(notBefore: nil): return .init("host", host: host, underWay: running, at: now)
    case .now: return .init(hasFreeCredit ? "turn" : "fetcher", at: now)
    }
  }

  /// Jobs of memory that could start now if there were credit for all of them.
  package func runnable(at now: Moment) -> Int { limits.isAllPaused ? 0 : hosts.startable(at: now) }

  /// Further jobs that fetchers would take.
  package var freeCreditInAll: UInt64 { fetchers.values.reduce(0) { $0 + $1.lane.available } }
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
