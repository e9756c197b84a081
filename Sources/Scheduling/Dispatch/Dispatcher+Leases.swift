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
    if case .leased(let lease, _) = entry.place { past.add(lease.token, of: id) }
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
    guard jobs[id]?.place == .queued else { return }
    jobs[id]?.lost = (lease, wasCharged)
    lost[lease.token] = id
  }

  package func hasLost(_ token: LeaseToken) -> Bool { !lost.isEmpty && lost[token] != nil }

  /// What the ledger is to know of a lease that goes on.
  package struct Resumption: Sendable {
    package var job: Job
    package var lease: Lease
    package var worker: WorkerID
    /// The crashes of the job, counting one that was charged wrongly; nil when none was.
    package var chargedCrashes: UInt8?
  }

  /// A worker has a lease that was declared lost, and no other has had the job since: it goes on under the same token.
  package mutating func resumed(_ token: LeaseToken, by worker: WorkerID, at now: Moment) -> Resumption? {
    guard let id = lost.removeValue(forKey: token), var entry = jobs[id],
      let (lease, wasCharged) = entry.lost,
      lease.token == token, entry.place == .queued
    else { return nil }
    var resumption = Resumption(job: entry.job, lease: lease, worker: worker)
    if wasCharged, !entry.spared.contains(token) {
      resumption.chargedCrashes = entry.crashes
      _ = entry.absolved(of: token)
    }
    if entry.isQueued { hosts.discard(host: entry.turnHost, of: entry.payer) }
    (entry.lost, entry.isQueued) = (nil, false)
    entry.waits &+= 1
    entry.place = .leased(lease, to: worker)
    entry.attempts = lease.attempt
    jobs[id] = entry
    holders[token] = id
    hosts.began(host: entry.turnHost, at: now)
    // The worker lives.
    suspects.cleared(id)
    if entry.crashesThatCount > 0 { suspects.wait(id) }
    suspects.began(id, on: worker)
    began(entry.payer, isNew: false, at: now)
    return resumption
  }

  mutating func forgetLost(_ entry: inout Entry) {
    guard let known = entry.lost else { return }
    lost[known.lease.token] = nil
    entry.lost = nil
  }

  /// The worker is not on it any more, or gone.
  package mutating func release(_ token: LeaseToken, at now: Moment) {
    guard !dropped.isEmpty, let hold = dropped.removeValue(forKey: token) else { return }
    end(hold, at: now)
  }

  mutating func endLease(of entry: Entry, isHeld: Bool = false, at now: Moment) {
    guard case .leased(let lease, let worker) = entry.place else { return }
    holders[lease.token] = nil
    let slot = slotRequests.slot(under: lease.token, of: entry.turnHost)
    slotRequests.ended(lease.token)
    let hold = Hold(job: entry.job.id, worker: worker, payer: entry.payer, slot: slot)
    if isHeld { dropped[lease.token] = hold } else { end(hold, at: now) }
  }

  private mutating func end(_ hold: Hold, at now: Moment) {
    suspects.ended(hold.job, on: hold.worker)
    ended(of: hold.payer, at: now)
    if let host = hold.slot { hosts.ended(host: host, at: now) }
  }
}

/// The leases that were taken back before they were answered: a success that comes late under one of them still counts.
/// Bounded, the oldest are forgotten first; their jobs have long been done by others. A pure value.
struct PastLeases: Sendable {
  private let most: Int
  private var jobs: [LeaseToken: JobID] = [:]
  private var order = FIFO<LeaseToken>()

  init(most: Int = 1 << 16) {
    self.most = most
  }

  subscript(token: LeaseToken) -> JobID? { jobs.isEmpty ? nil : jobs[token] }

  mutating func add(_ token: LeaseToken, of job: JobID) {
    if jobs.updateValue(job, forKey: token) == nil { order.append(token) }
    while order.count > most, let oldest = order.popFirst() { jobs[oldest] = nil }
  }
}
