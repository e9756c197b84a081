package import Links
package import Pipeline

/// Which job goes where and when: the open jobs, the fetchers' credit, hosts' turns, retries and deadlines.
///
/// A pure value. It is the aggregator's picture of the ledger; the ledger's answer to each change decides.
package struct Dispatcher: ~Copyable, Sendable {
  /// What waits for the turn of a host.
  enum Waiter: Sendable {
    /// Out of date when the job has another ticket: such an entry is skipped.
    case job(JobID, ticket: UInt32)
    case hostSlotRequest(LeaseToken, number: UInt32)
  }

  package internal(set) var jobs: [JobID: Entry] = [:]
  /// What the oEmbed requests of all jobs take.
  package internal(set) var oembedBytes = 0
  package var leases = Leases()
  var fetchers: [WorkerID: Fetcher] = [:]
  var hosts: HostQueue<Waiter>
  package var health: HostHealth
  /// Hosts that are left alone, or no longer, since this was taken.
  var changedHosts: Set<String> = []
  /// Hosts that are given up since this was taken, and, without a verdict, those that answer again.
  package var hostNews: [(host: String, verdict: HostVerdict?)] = []
  /// What waited for hosts that were given up.
  var givenUp = FIFO<Waiter>()
  var suspects = Suspects()
  var limits = BatchLimits()
  /// Batches whose jobs are about to be ended: none starts.
  var stopped: Set<BatchID> = []
  /// The batches of runs, by those of their calls.
  var payers: [BatchID: BatchID] = [:]
  /// Memory may hold jobs of batches that are shut.
  var mayHoldShut = false
  private(set) var singleFlight: SingleFlight
  var retries = MinHeap<Moment, JobID>()
  var deadlines = MinHeap<Moment, JobID>()
  var lastToken: UInt64
  private var lastTicket: UInt32 = 0
  package let leaseKey: LeaseKey
  /// Tokens up to this one are of earlier aggregators, and which jobs they were for is not known any more.
  private let inheritedTokens: UInt64
  /// The leases that were taken back before they were answered: a success that comes late under one of them still counts.
  /// The jobs of those that are forgotten have long been done by others.
  var past = LastKept<LeaseToken, JobID>(most: 1 << 16)
  /// Nothing more is given out.
  package private(set) var isDraining = false
  /// Nothing is given out for now.
  package var isHeldBack = false
  /// Jobs beyond what can start soon are left in the ledger.
  let isBounded: Bool
  /// Hosts that were asked to pause.
  var pausing: [String] = []

  /// - Parameters:
  ///   - mostInMemory: Jobs that wait here; the others wait in the ledger.
  ///   - givesUpAfter: Failures in a row until a host is given up; nil for never.
  ///   - lastToken: The greatest token ever granted; new ones are greater.
  ///   - leaseKey: Seals them.
  package init(
    paces: HostPaces, mostInMemory: Int = .max, givesUpAfter: Int? = HostHealth.defaultLimit,
    lastToken: LeaseToken = LeaseToken(0), leaseKey: LeaseKey = LeaseKey(high: 0, low: 0)
  ) {
    self.leaseKey = leaseKey
    self.lastToken = lastToken.value
    inheritedTokens = lastToken.value
    isBounded = mostInMemory < .max
    singleFlight = SingleFlight(mostWaiters: mostInMemory / 4)
    health = HostHealth(givesUpAfter: givesUpAfter)
    hosts = HostQueue(paces: paces)
  }

  /// Jobs that wait for their turn, or for the row of another.
  package var queued: Int {
    hosts.count() + suspects.waiting.count + singleFlight.waiterCount + givenUp.count
  }

  /// Nothing is ended that is to stay where it is.
  package var hasGivenUp: Bool { !givenUp.isEmpty && !isDraining }

  /// When something will be due without a message; nil when nothing waits for time.
  package var nextWake: Moment? {
    let redirectPause = hosts.nextPauseEnd(in: .redirects)
    if isDraining {
      return [deadlines.first?.key, redirectPause, leases.searchesLastUntil].compactMap { $0 }.min()
    }
    // Without credit the end of a pause changes nothing: woken for it, the loop would spin until credit comes.
    let mayStart = hasFreeCredit
    let (pauseEnd, holdEnd) = mayStart ? (hosts.nextPauseEnd(), limits.nextWake) : (nil, nil)
    let (suspect, trialEnd) = (mayStart ? suspects.nextWake : nil, suspects.trialEnd)
    return [
      retries.first?.key, deadlines.first?.key, pauseEnd, holdEnd, redirectPause, suspect, trialEnd,
      leases.searchesLastUntil,
    ].compactMap { $0 }.min()
  }

  package var leakCounts: [String: Int] {
    [
      "jobs": jobs.count, "leases": leases.count, "searches": leases.searched,
      "queued jobs": queued, "suspects": suspects.leaks,
      "singleFlight": singleFlight.count,
      "host slot requests": hosts.count(in: .redirects), "oEmbed bytes": oembedBytes,
    ]
  }

  /// Jobs that workers are on.
  package var underWay: Int { leases.open }

  /// No worker is on anything.
  package var isQuiet: Bool { leases.open == 0 }

  /// Nothing more is given out, and no worker is on anything.
  package var isDrained: Bool { isDraining && isQuiet }

  /// From now on jobs stay where they are; those under way come to their end.
  package mutating func drain() {
    isDraining = true
  }

  package func job(under token: LeaseToken) -> JobID? {
    leases[token].flatMap { $0.isDropped ? nil : $0.job }
  }

  /// Whom the lease was given to, also when its job is over.
  package func fetcher(under token: LeaseToken) -> WorkerID? { leases[token]?.fetcher }

  /// Whether a result can be that of a lease that was given out. Another one is dropped before its row is kept: its
  /// sender does not hold the job, or answered before.
  package func mayBe(_ result: JobResult) -> Bool {
    let token = result.lease.token
    if let job = leases[token]?.job ?? past[token] { return job == result.job }
    return token.value <= inheritedTokens && leaseKey.isGenuine(token, of: result.job)
  }

  package func entry(under token: LeaseToken) -> Entry? {
    job(under: token).flatMap { jobs[$0] }
  }

  /// Jobs of a batch that workers are on.
  package func underWay(of batch: BatchID) -> [Entry] {
    jobs.values.filter { $0.job.batch == batch && $0.isLeased }.sorted { $0.job.ordinal < $1.job.ordinal }
  }

  /// A job is ready, now or at its retry's time. One that is known already changes nothing.
  package mutating func arrived(_ open: LedgerJob, host: String, link: WebURL? = nil, at now: Moment) {
    guard jobs[open.job.id] == nil else { return }
    var entry = entry(for: open, host: host, at: now)
    if case .scheduled(let moment) = open.life.state {
      entry.place = .scheduled
      retries.insert(open.job.id, at: moment)
    } else if !isRestrained(entry.payer), let leader = singleFlight.join(open.job, link: link, host: host) {
      entry.place = .waiting(leader)
    }
    jobs[open.job.id] = entry
    if entry.place == .queued { queue(open.job.id, entry, at: now) }
  }

  /// An earlier aggregator gave it to a worker that may be on it.
  package mutating func adopt(
    _ open: LedgerJob, _ lease: Lease, to worker: WorkerID, _ host: String, at now: Moment
  ) {
    guard jobs[open.job.id] == nil else { return }
    goOn(entry(for: open, host: host, at: now), lease, on: worker, watched: 0, at: now)
  }

  private mutating func entry(for open: LedgerJob, host: String, at now: Moment) -> Entry {
    if let deadline = open.job.deadline { watch(open.job.id, until: deadline) }
    return Entry(open, host: host, payer: payer(of: open.job.batch), ticket: nextTicket(), at: now)
  }

  mutating func nextTicket() -> UInt32 {
    lastTicket &+= 1
    return lastTicket
  }

  /// Puts a job where it waits for its turn. One that seems poisoned has none until that is known.
  mutating func queue(_ id: JobID, _ entry: Entry, at now: Moment) {
    if isRestrained(entry.payer) { letWaitersAsk(instead: id, at: now) }
    guard entry.crashesThatCount < JobLife.crashesUntilPoisoned else { return }
    if entry.crashesThatCount > 0 || suspects.knows(id) {
      suspects.wait(id)
    } else if health.verdict(on: entry.turnHost, at: now) != nil {
      givenUp.append(.job(id, ticket: entry.ticket))
    } else {
      enqueue(id, entry, at: now)
    }
  }

  mutating func paused(_ host: String) {
    if isBounded { pausing.append(host) }
  }

  /// Hosts of which memory holds less than before, or whose pause is over.
  package mutating func takeShrunk() -> [String] { hosts.takeShrunk() + singleFlight.takeShrunk() }

  /// Puts a job into the queue of its host.
  mutating func enqueue(_ id: JobID, _ entry: Entry, at now: Moment) {
    hosts.add(.job(id, ticket: entry.ticket), host: entry.turnHost, of: entry.payer, at: now)
    jobs[id]?.isQueued = true
  }

  /// What waited for a host that is given up waits to be ended.
  mutating func giveUp(_ waiter: Waiter) {
    if case .job(let id, ticket: _) = waiter { jobs[id]?.isQueued = false }
    givenUp.append(waiter)
  }

  /// The ledger did not grant it: the job is over there, or another worker's.
  package mutating func refused(_ assignment: Assignment, at now: Moment) {
    fetchers[assignment.fetcher]?.lane.putBack()
    _ = removed(assignment.order.job.id, at: now)
  }

  /// The job is over. Those who waited for its row ask for themselves.
  ///
  /// - Parameter isHeld: A worker that is on it takes its places until `release`.
  package mutating func removed(_ id: JobID, isHeld: Bool = false, at now: Moment) -> Entry? {
    guard let entry = jobs.removeValue(forKey: id) else { return nil }
    oembedBytes -= entry.oembedBytes
    if case .waiting(let leader) = entry.place { singleFlight.left(id, leader) }
    if entry.isQueued { hosts.discard(host: entry.turnHost, of: entry.payer) }
    endLease(of: entry, isHeld: isHeld, at: now)
    suspects.cleared(id)
    letWaitersAsk(instead: id, at: now)
    return entry
  }

  /// Those who wait for a job's row ask for themselves: it is over, or may have to wait for the limits of its batch.
  mutating func letWaitersAsk(instead id: JobID, at now: Moment) {
    for waiter in singleFlight.completed(id) {
      guard let entry = jobs[waiter] else { continue }
      if !isRestrained(entry.payer), let leader = singleFlight.join(entry.job, host: entry.host) {
        jobs[waiter]?.place = .waiting(leader)
      } else {
        jobs[waiter]?.place = .queued
        queue(waiter, entry, at: now)
      }
    }
  }

  /// The jobs that wait for this one's row.
  package func waiters(of id: JobID) -> [Job] {
    singleFlight.waiters(of: id).compactMap { jobs[$0]?.job }
  }

  /// The job has its row, and the first of those who waited for it have theirs.
  package mutating func completed(first count: Int, of id: JobID) {
    for waiter in singleFlight.left(first: count, of: id) { jobs[waiter] = nil }
  }
}

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
    /// Under which it waits: no other wait had it, of this job or another, also not before the job came to memory again.
    var ticket: UInt32
    /// Why it is to be tried again.
    @Boxed package var lastFailure: Failure?
    /// Where its walk goes on that a page led on, and under which host; forgotten when that comes to nothing.
    @Boxed package var continuation: (walk: Continuation, host: String)?
    /// The version of the cached answer, which the fetcher revalidates; nil when there is none, or it is gone.
    @Boxed package var known: Validators?
    /// What it finds is not for the cache: a page on its way was not, so what that leads to is not either.
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

    init(_ open: LedgerJob, host: String, payer: BatchID, ticket: UInt32, at now: Moment) {
      (self.payer, self.ticket) = (payer, ticket)
      (job, self.host, arrivedAt, place) = (open.job, host, now, .queued)
      (attempts, crashes) = (open.life.attempts, open.life.crashes)
      forgiven = crashes - min(crashes, JobLife.crashesUntilPoisoned - 1)
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

/// When jobs are tried again, and when they have to be over.
extension Dispatcher {
  /// Jobs whose retry is due; they are queued again.
  package mutating func dueRetries(at now: Moment) -> [JobID] {
    var due: [JobID] = []
    guard !isDraining else { return due }
    while let first = retries.first, first.key <= now {
      _ = retries.popFirst()
      guard let entry = jobs[first.value], entry.place == .scheduled else { continue }
      jobs[first.value]?.place = .queued
      queue(first.value, entry, at: now)
      due.append(first.value)
    }
    return due
  }

  /// Most jobs are over long before their deadline; those are forgotten when they are the greater part.
  mutating func watch(_ id: JobID, until deadline: Moment) {
    if deadlines.count > 2 * jobs.count + 64 { deadlines.removeAll { jobs[$0] == nil } }
    deadlines.insert(id, at: deadline)
  }

  /// Jobs whose deadline has passed. A worker that is on one knows it too, and gets the time to say how far it came.
  package mutating func overdue(at now: Moment) -> [Entry] {
    var overdue: [Entry] = []
    while let first = deadlines.first, first.key <= now {
      _ = deadlines.popFirst()
      guard let entry = jobs[first.value] else { continue }
      if case .leased = entry.place, let deadline = entry.job.deadline, now < Self.graceEnd(of: deadline) {
        deadlines.insert(first.value, at: Self.graceEnd(of: deadline))
      } else {
        overdue.append(entry)
      }
    }
    return overdue
  }

  private static func graceEnd(of deadline: Moment) -> Moment {
    deadline.advanced(byMilliseconds: 200)
  }
}
