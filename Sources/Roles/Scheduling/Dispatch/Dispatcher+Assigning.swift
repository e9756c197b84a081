import Links
package import Pipeline

/// Which job goes to which fetcher.
extension Dispatcher {
  package struct Assignment: Sendable {
    package var order: JobOrder
    package var fetcher: WorkerID
  }

  /// Gives ready jobs to fetchers, as far as hosts and credit allow.
  package mutating func assignments(at now: Moment, atMost limit: Int = .max) -> [Assignment] {
    var made: [Assignment] = []
    guard mayAssign else {
      suspects.endTrial(at: now)
      return made
    }
    if !limits.isEmpty { for batch in limits.due(at: now) { hold(batch, false) } }
    hosts.shareUntried(of: Int(clamping: freeCreditInAll) + leases.count, at: now)
    // Half of the credit is for suspects when others want it, in turns with them.
    let suspectsGoFirst = suspects.goFirst || suspects.trialEnd.map { $0 <= now } == true
    suspects.goFirst = true
    if suspectsGoFirst {
      assignSuspects(&made, at: now, atMost: min(limit, Int(clamping: (freeCreditInAll + 1) / 2)))
    }
    suspects.endTrial(at: now)
    while made.count < limit, let freest,
      let next = hosts.next(at: now, where: { Self.wants($0, jobs, leases) }),
      case .job(let id, ticket: _) = next.item
    {
      guard let assignment = assign(id, to: fetcher(for: next.host, freest), at: now) else { break }
      health.started(next.host)
      made.append(assignment)
    }
    assignSuspects(&made, at: now, atMost: limit)
    return made
  }

  /// Gives fetchers suspects, each beside none of another group.
  private mutating func assignSuspects(_ made: inout [Assignment], at now: Moment, atMost limit: Int) {
    suspects.nextWake = nil
    guard !suspects.waiting.isEmpty else { return }
    var left = min(limit - made.count, Int(clamping: freeCreditInAll))
    for id in suspects.waiting where left > 0 {
      guard let entry = jobs[id], entry.place == .queued, isStartable(entry, at: now),
        let worker = freest(where: { suspects.mayRun(id, on: $0) })?.id, mayBegin(entry, on: worker, at: now),
        let assignment = assign(id, to: worker, at: now)
      else { continue }
      hosts.start(host: entry.turnHost, at: now)
      health.started(entry.turnHost)
      made.append(assignment)
      left -= 1
      suspects.goFirst = false
    }
  }

  private mutating func mayBegin(_ suspect: Entry, on worker: WorkerID, at now: Moment) -> Bool {
    guard suspect.crashesThatCount + 1 == JobLife.crashesUntilPoisoned else { return true }
    return suspects.mayBeTried(suspect.job.id, on: worker, isIdle: !leases.hasAny(of: worker), at: now)
  }

  /// A suspect may start now; a batch that is held is looked at again after a while.
  private mutating func isStartable(_ suspect: Entry, at now: Moment) -> Bool {
    let wake: Moment?
    if limits.isHeld(suspect.payer) || stopped.contains(suspect.payer) {
      wake = now.advanced(byMilliseconds: Self.holdMilliseconds)
    } else {
      switch hosts.availability(host: suspect.turnHost, at: now) {
      case .now: return true
      case .soon(let moment): wake = moment
      case .later(let moment): wake = moment
      }
    }
    suspects.nextWake = [suspects.nextWake, wake].compactMap { $0 }.min()
    return false
  }

  /// A fetcher would take another job.
  package var hasFreeCredit: Bool { mayAssign && freest != nil }

  private var mayAssign: Bool { !isDraining && !limits.isAllPaused && !isHeldBack }

  private var freest: (id: WorkerID, credit: UInt64)? { freest(where: { suspects.isOpen($0) }) }

  /// The one with most free credit.
  private func freest(where isFit: (WorkerID) -> Bool) -> (id: WorkerID, credit: UInt64)? {
    var freest: (id: WorkerID, credit: UInt64)?
    for (id, fetcher) in fetchers where fetcher.lane.available > 0 && isFit(id) {
      let credit = fetcher.lane.available
      if let freest, (freest.credit, id) > (credit, freest.id) { continue }
      freest = (id, credit)
    }
    return freest
  }

  private static let holdMilliseconds: Int64 = 1_000

  private mutating func assign(_ id: JobID, to worker: WorkerID, at now: Moment) -> Assignment? {
    guard var entry = jobs[id], fetchers[worker]?.lane.reserve() == true else { return nil }
    entry.lost = nil
    lastToken &+= 1
    let lease = Lease(token: leaseKey.token(lastToken, of: id), attempt: entry.attempts + 1)
    entry.place = .leased(lease, to: worker)
    entry.isQueued = false
    entry.attempts = lease.attempt
    jobs[id] = entry
    leases.granted(lease.token, of: id, to: worker, payer: entry.payer, slot: entry.turnHost)
    suspects.began(id, on: worker)
    began(entry.payer, isNew: true, at: now)
    var order = JobOrder(job: entry.job, lease: lease)
    order.isSuspect = entry.crashesThatCount > 0
    order.continuation = entry.continuation?.walk
    return Assignment(order: order, fetcher: worker)
  }

  /// The ledger granted it, and it goes out now.
  ///
  /// - Parameter watched: Milliseconds spent listening so far.
  /// - Returns: Its place in the lane; nil when that is gone.
  package mutating func sent(_ assignment: Assignment, watched: Int64 = 0) -> UInt64? {
    guard let sequence = fetchers[assignment.fetcher]?.lane.sendReserved() ?? nil else { return nil }
    leases.sent(assignment.order.lease.token, to: assignment.fetcher, sequence: sequence, watched: watched)
    return sequence
  }

  /// Its host may be asked now, its batch is not held, and it does not wait for another's row, for its turn as a suspect, or in the ledger for a host's
  /// waiters to end.
  package func mayStart(_ open: LedgerJob, at now: Moment) -> Bool {
    guard let host = jobs[open.job.id]?.turnHost ?? (try? Intake.host(of: open.job)),
      !isHeld(open.job.batch)
    else { return false }
    if let entry = jobs[open.job.id] {
      if entry.place != .queued || suspects.knows(open.job.id) { return false }
    } else if singleFlight.surplus(host: host) > 0 {
      return false
    }
    return open.life.crashes == 0 && health.verdict(on: host, at: now) == nil
      && hosts.availability(host: host, at: now) == .now
  }
}

/// How many jobs each fetcher takes.
extension Dispatcher {
  struct Fetcher: Sendable {
    var lane: LaneSender
    /// What had been sent at one of its HELLOs, and when, until it says that it has it.
    var mark: (sent: UInt64, watched: Int64)?

    /// Whether a message for it got lost whose job is over, so no timeout would show it.
    mutating func hasLostSome(_ hello: Hello, _ watched: Int64) -> Bool {
      if let mark, hello.received < mark.sent {
        return watched - mark.watched > Heartbeat.lostFrameMilliseconds
      }
      mark = (lane.sent, watched)
      return false
    }
  }

  /// - Parameters:
  ///   - hasLostJobs: What was sent to it got lost on the way, and the credit with it.
  ///   - watched: Milliseconds spent listening so far.
  package mutating func fetcherSpoke(_ hello: Hello, hasLostJobs: Bool = false, watched: Int64 = 0) {
    if hasLostJobs || fetchers[hello.worker]?.hasLostSome(hello, watched) ?? true {
      fetchers[hello.worker] = Fetcher(
        lane: LaneSender(received: hello.received, granted: hello.granted))
    }
    fetchers[hello.worker]?.lane.received(grant: hello.granted, of: hello.received)
  }

  package mutating func received(_ credit: Credit) {
    fetchers[credit.from]?.lane.received(grant: credit.granted)
  }

  /// How many more jobs it takes; nil for all but fetchers.
  package func freeCredit(of worker: WorkerID) -> UInt64? { fetchers[worker]?.lane.available }

  package mutating func fetcherLeft(_ worker: WorkerID) {
    fetchers[worker] = nil
    suspects.fetcherLeft(worker)
  }

  /// A fetcher died with these leases.
  ///
  /// - Returns: The job that is charged; nil when several share the death.
  package mutating func fetcherDied(executing: [LeaseToken], waiting: [LeaseToken]) -> JobID? {
    suspects.fetcherDied(executing: fetched(under: executing), waiting: fetched(under: waiting))
  }

  /// An echo is not fetched.
  private func fetched(under tokens: [LeaseToken]) -> [JobID] {
    tokens.compactMap { job(under: $0) }.filter { jobs[$0]?.job.kind != .echo }
  }

  /// Jobs that a fetcher may have above the freest one and still get more for its hosts.
  private static let mostAhead: UInt64 = 4

  /// The fetcher to take a host's job: always the same, because it has connections to the host, unless another one has
  /// clearly less to do.
  func fetcher(for host: String, _ freest: (id: WorkerID, credit: UInt64)) -> WorkerID {
    guard fetchers.count > 1 else { return freest.id }
    var ofHost = StableHash()
    ofHost.add(host)
    var best: (id: WorkerID, hash: UInt64)?
    for (id, fetcher) in fetchers where fetcher.lane.available > 0 && suspects.isOpen(id) {
      guard fetcher.lane.available + Self.mostAhead >= freest.credit else { continue }
      var hash = ofHost
      hash.add(id.uuid.low)
      if let best, (best.hash, best.id) > (hash.value, id) { continue }
      best = (id, hash.value)
    }
    return best?.id ?? freest.id
  }
}
