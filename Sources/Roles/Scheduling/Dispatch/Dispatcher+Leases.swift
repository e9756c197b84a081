import Links
package import Pipeline

/// How leases end without their job, and how one that was given up too early goes on.
extension Dispatcher {
  package mutating func postponed(_ id: JobID, until moment: Moment, after failure: Failure, at now: Moment) {
    guard let entry = jobs[id] else { return }
    endLease(of: entry, at: now)
    jobs[id]?.lastFailure = failure
    suspects.cleared(id)
    go(id, continuation: nil)
    jobs[id]?.place = .scheduled
    retries.insert(id, at: moment)
  }

  /// A lease came back, and its job is queued again. The attempt counts only when the job can have been executing. An oEmbed request is still to be made: the
  /// page was read already, so it did not kill the worker.
  package mutating func requeued(
    _ id: JobID, crashed: Bool, at now: Moment, continuation: (walk: Continuation, host: String)? = nil
  ) {
    guard let entry = jobs[id] else { return }
    if case .leased(let lease, _) = entry.place { past.keep(id, for: lease.token) }
    endLease(of: entry, at: now)
    jobs[id]?.place = .queued
    go(id, continuation: continuation ?? entry.continuation.flatMap { $0.walk.oembed == nil ? nil : $0 })
    if crashed {
      jobs[id]?.crashed()
    } else if entry.attempts > 0 {
      jobs[id]?.attempts -= 1
    }
    if let entry = jobs[id] { queue(id, entry, at: now) }
  }

  /// A page led on: the job waits for its turn again, for another host.
  package mutating func ledOn(_ id: JobID, _ continuation: Continuation, host: String, at now: Moment) {
    requeued(id, crashed: false, at: now, continuation: (continuation, host))
  }

  private mutating func go(_ id: JobID, continuation: (walk: Continuation, host: String)?) {
    oembedBytes -= jobs[id]?.oembedBytes ?? 0
    jobs[id]?.continuation = continuation
    oembedBytes += jobs[id]?.oembedBytes ?? 0
  }

  /// Takes back a crash that was charged wrongly, and its attempt. A job that seemed poisoned is queued again, and a suspect
  /// that has no other charge is none any more.
  package mutating func absolved(_ id: JobID, lostUnder token: LeaseToken, at now: Moment) {
    guard var entry = jobs[id] else { return }
    let seemedPoisoned = entry.crashesThatCount >= JobLife.crashesUntilPoisoned
    guard entry.absolved(of: token) else { return }
    jobs[id] = entry
    let isFree = entry.crashesThatCount == 0 && suspects.knows(id)
    if isFree { suspects.cleared(id) }
    guard entry.place == .queued, seemedPoisoned || isFree else { return }
    queue(id, entry, at: now)
  }

  /// No worker lists the lease any more. Its worker may yet come back with it.
  package mutating func noteLost(_ lease: Lease, of id: JobID, wasCharged: Bool) {
    if jobs[id]?.place == .queued { jobs[id]?.lost = (lease, wasCharged) }
  }

  /// What the ledger is to know of a lease that goes on.
  package struct Resumption: Sendable {
    package var job: Job
    package var lease: Lease
    package var worker: WorkerID
    /// The crashes of the job, counting one that was charged wrongly; nil when none was.
    package var chargedCrashes: UInt8?
  }

  /// A worker has a lease that was declared lost, and no other has had the job since: it goes on under the same token.
  package mutating func resumed(
    _ token: LeaseToken, by worker: WorkerID, watched: Int64 = 0, at now: Moment
  ) -> Resumption? {
    guard let id = past[token], var entry = jobs[id], let (lease, isCharged) = entry.lost,
      lease.token == token, entry.place == .queued
    else { return nil }
    var resumption = Resumption(job: entry.job, lease: lease, worker: worker)
    if isCharged {
      resumption.chargedCrashes = entry.crashes
      _ = entry.absolved(of: token)
    }
    if entry.isQueued { hosts.discard(host: entry.turnHost, of: entry.payer) }
    (entry.lost, entry.isQueued) = (nil, false)
    entry.ticket = nextTicket()
    entry.attempts = lease.attempt
    // The worker lives.
    suspects.cleared(id)
    goOn(entry, lease, on: worker, watched: watched, at: now)
    return resumption
  }

  /// A worker is on a job that it had before.
  mutating func goOn(
    _ known: Entry, _ lease: Lease, on worker: WorkerID, watched: Int64, at now: Moment
  ) {
    var entry = known
    let id = entry.job.id
    entry.place = .leased(lease, to: worker)
    jobs[id] = entry
    leases.granted(lease.token, of: id, to: worker, payer: entry.payer, slot: entry.turnHost)
    leases.sent(lease.token, to: worker, sequence: 0, watched: watched)
    hosts.began(host: entry.turnHost, at: now)
    if entry.crashesThatCount > 0 { suspects.wait(id) }
    suspects.began(id, on: worker)
    began(entry.payer, isNew: false, at: now)
  }

  /// A job is over, whatever a worker is doing. What that takes is free when the worker lets go.
  ///
  /// - Returns: Who is on it.
  package mutating func dropped(_ id: JobID, at now: Moment) -> (token: LeaseToken, worker: WorkerID)? {
    guard case .leased(let lease, let worker)? = removed(id, isHeld: true, at: now)?.place,
      leases[lease.token] != nil
    else { return nil }
    return (lease.token, worker)
  }

  /// The worker is not on it any more, or gone.
  package mutating func release(_ token: LeaseToken, at now: Moment) {
    if let over = leases.released(token) { end(over, at: now) }
  }

  mutating func endLease(of entry: Entry, isHeld: Bool = false, at now: Moment) {
    guard case .leased(let lease, _) = entry.place else { return }
    if let over = leases.left(lease.token, isHeld: isHeld) { end(over, at: now) }
  }

  private mutating func end(_ lease: Leases.Lease, at now: Moment) {
    suspects.ended(lease.job, on: lease.fetcher)
    ended(of: lease.payer, at: now)
    if let host = lease.slot { hosts.ended(host: host, at: now) }
  }
}

/// Walks that go on to other hosts. Their turns are bounded by the fetchers' credit, which they hold meanwhile, so they go
/// first.
extension Dispatcher {
  /// A walk gives its slot up and waits for one of another host; a repetition changes nothing.
  ///
  /// - Returns: What to answer at once: that it has it already, or never will. nil when it waits, or is out of date.
  package mutating func arrived(_ request: HostSlotRequest, at now: Moment) -> HostSlotGrant? {
    let (token, host) = (request.token, request.host)
    guard let entry = entry(under: token), let lease = leases[token] else { return nil }
    if let known = lease.detour, known.number >= request.number {
      guard known.number == request.number, lease.slot != nil || known.refusal != nil else { return nil }
      return HostSlotGrant(token: token, number: known.number, refusal: known.refusal)
    }
    if let left = lease.slot {
      answered(left, at: now)
      hosts.ended(host: left, at: now)
    }
    var detour = Leases.Detour(number: request.number, host: host)
    guard !request.isUnderWay else {
      leases.led(token, to: detour, slot: host)
      hosts.began(host: host, at: now)
      return nil
    }
    detour.refusal = health.verdict(on: host, at: now).map { Failure.givenUp(entry, host, $0) }
    leases.led(token, to: detour, slot: nil)
    guard detour.refusal == nil else {
      return HostSlotGrant(token: token, number: request.number, refusal: detour.refusal)
    }
    hosts.add(.hostSlotRequest(token, number: request.number), host: host, in: .redirects, at: now)
    return nil
  }

  /// The walks whose turn it is, with their fetchers.
  package mutating func hostSlotsToGrant(at now: Moment) -> [(grant: HostSlotGrant, fetcher: WorkerID)] {
    var granted: [(grant: HostSlotGrant, fetcher: WorkerID)] = []
    while let next = hosts.next(in: .redirects, at: now, where: { Self.wants($0, jobs, leases) }) {
      guard case .hostSlotRequest(let token, let number) = next.item, let lease = leases[token],
        let detour = lease.detour
      else { continue }
      leases.led(token, to: detour, slot: next.host)
      health.started(next.host)
      granted.append((HostSlotGrant(token: token, number: number), lease.fetcher))
    }
    return granted
  }

  func isWanted(_ waiter: Waiter) -> Bool { Self.wants(waiter, jobs, leases) }

  /// Given what it needs one by one: a closure over all of the dispatcher would make every start copy its queues.
  static func wants(_ waiter: Waiter, _ jobs: [JobID: Entry], _ leases: Leases) -> Bool {
    switch waiter {
    case .job(let id, let ticket):
      guard let entry = jobs[id] else { return false }
      return entry.place == .queued && entry.ticket == ticket
    case .hostSlotRequest(let token, let number):
      guard let lease = leases[token], let detour = lease.detour else { return false }
      return detour.number == number && detour.refusal == nil && lease.slot == nil
    }
  }

  /// The host that is given up, when that is why the walk failed.
  package func givenUpHost(behind failure: Failure, under token: LeaseToken) -> String? {
    leases[token]?.detour.flatMap { $0.refusal == failure ? $0.host : nil }
  }

  /// The slot was refused; its job is not tried again by itself.
  package func isRefused(_ token: LeaseToken) -> Bool { leases[token]?.detour?.refusal != nil }
}
