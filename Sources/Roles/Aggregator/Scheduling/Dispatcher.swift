import Pipeline

/// Which job goes where and when: the open jobs, the fetchers' credit, hosts' turns, retries and deadlines.
///
/// A pure value. It is the aggregator's picture of the ledger; the ledger's answer to each change decides.
struct Dispatcher: ~Copyable, Sendable {
  /// What waits for the turn of a host.
  enum Waiter: Sendable {
    /// Out of date when the job's `waits` has changed: such an entry is skipped.
    case job(JobID, waits: UInt32)
    case hostSlotRequest(LeaseToken, number: UInt32)
  }

  struct Assignment: Sendable {
    var order: JobOrder
    var fetcher: WorkerID
  }

  var jobs: [JobID: Entry] = [:]
  /// What the oEmbed requests of all jobs take.
  var oembedBytes = 0
  var holders: [LeaseToken: JobID] = [:]
  /// What workers are still on although its job is over.
  var dropped: [LeaseToken: Hold] = [:]
  /// Leases that were declared lost, of jobs that were not granted again since.
  var lost: [LeaseToken: JobID] = [:]
  var fetchers: [WorkerID: LaneSender] = [:]
  /// What had been sent to each at one of its HELLOs, and when, until it says that it has it.
  var sentLately: [WorkerID: (sent: UInt64, watched: Int64)] = [:]
  var hosts: HostQueue<Waiter>
  var slotRequests = HostSlotRequests()
  var health: HostHealth
  /// What waited for hosts that were given up.
  var condemned = FIFO<Waiter>()
  var solo = Quarantine()
  private(set) var singleFlight: SingleFlight
  var retries = MinHeap<Moment, JobID>()
  var deadlines = MinHeap<Moment, JobID>()
  private var lastToken: UInt64
  /// Tokens up to this one are of earlier aggregators, and which jobs they were for is not known any more.
  private let inheritedTokens: UInt64
  var past = PastLeases()
  private var isDraining = false
  /// Jobs beyond what can start soon are left in the ledger.
  private let isBounded: Bool
  /// Hosts that were asked to pause.
  private var pausing: [String] = []

  /// - Parameter lastToken: The greatest token ever granted; new ones are greater.
  init(settings: AggregatorSettings, lastToken: LeaseToken = LeaseToken(0)) {
    self.lastToken = lastToken.value
    inheritedTokens = lastToken.value
    isBounded = settings.mostInMemory < .max
    singleFlight = SingleFlight(mostPassengers: settings.mostInMemory / 4)
    health = HostHealth(givesUpAfter: settings.givesUpAfter)
    hosts = HostQueue(paces: settings.hostPaces, watchesStarts: isBounded)
  }

  /// Jobs that wait for their turn, or for the row of another.
  var queued: Int { hosts.count() + solo.count + singleFlight.passengerCount + condemned.count }

  /// Nothing is ended that is to stay where it is.
  var hasCondemned: Bool { !condemned.isEmpty && !isDraining }

  /// When something will be due without a message; nil when nothing waits for time.
  var nextWake: Moment? {
    let redirectPause = hosts.nextPauseEnd(in: .redirects)
    if isDraining { return [deadlines.first?.key, redirectPause].compactMap { $0 }.min() }
    // Without credit the end of a pause changes nothing: woken for it, the loop would spin until credit comes.
    let pauseEnd = freestFetcher == nil ? nil : hosts.nextPauseEnd()
    return [retries.first?.key, deadlines.first?.key, pauseEnd, redirectPause, solo.nextWake].compactMap {
      $0
    }
    .min()
  }

  var remains: [String: Int] {
    [
      "jobs": jobs.count, "holders": holders.count + dropped.count, "lost leases": lost.count,
      "queued jobs": queued,
      "singleFlight": singleFlight.count,
      "host slot requests": slotRequests.count + hosts.count(in: .redirects), "oEmbed bytes": oembedBytes,
    ]
  }

  /// Jobs that workers are on.
  var underWay: Int { holders.count }

  /// No worker is on anything.
  var isQuiet: Bool { holders.isEmpty }

  /// Nothing more is given out.
  var hasEnded: Bool { isDraining }

  /// Nothing more is given out, and no worker is on anything.
  var isDrained: Bool { isDraining && isQuiet }

  /// From now on jobs stay where they are; those under way come to their end.
  mutating func drain() {
    isDraining = true
  }

  func job(under token: LeaseToken) -> JobID? { holders[token] }

  /// Whom the lease was given to, also when its job is over.
  func fetcher(under token: LeaseToken) -> WorkerID? {
    if case .leased(_, let worker)? = entry(under: token)?.place { return worker }
    return dropped[token]?.worker
  }

  /// Whether a result can be that of a lease that was given out. Another one is dropped before its row is kept: its
  /// sender does not hold the job, or answered before.
  func mayBe(_ result: JobResult) -> Bool {
    let token = result.lease.token
    if let job = holders[token] ?? dropped[token]?.job ?? past[token] { return job == result.job }
    return token.value <= inheritedTokens
  }

  func entry(under token: LeaseToken) -> Entry? {
    guard let id = holders[token] else { return nil }
    return jobs[id]
  }

  func openJobs(of batch: BatchID) -> [Entry] {
    jobs.values.filter { $0.job.batch == batch }.sorted { $0.job.ordinal < $1.job.ordinal }
  }

  /// A job is ready, now or at its retry's time. One that is known already changes nothing.
  mutating func arrived(_ open: OpenJob, host: String, at now: Moment) {
    guard jobs[open.job.id] == nil else { return }
    var entry = Entry(
      job: open.job, host: host, life: open.life, arrivedAt: now)
    if case .scheduled(let moment) = open.life.state {
      entry.place = .scheduled
      retries.insert(open.job.id, at: moment)
    } else if let leader = singleFlight.board(open.job, host: host) {
      entry.place = .following(leader)
    }
    jobs[open.job.id] = entry
    if entry.place == .queued { queue(open.job.id, entry, at: now) }
    if let deadline = open.job.deadline { watch(open.job.id, until: deadline) }
  }

  /// An earlier aggregator gave it to a worker that may be on it.
  mutating func isLeased(_ open: OpenJob, _ lease: Lease, to worker: WorkerID, _ host: String, at now: Moment)
  {
    guard jobs[open.job.id] == nil else { return }
    jobs[open.job.id] = Entry(
      job: open.job, host: host, life: open.life, arrivedAt: now, place: .leased(lease, to: worker))
    holders[lease.token] = open.job.id
    hosts.began(host: host, at: now)
    solo.began(open.job.id, at: worker)
    if let deadline = open.job.deadline { watch(open.job.id, until: deadline) }
  }

  /// Gives ready jobs to the fetchers with most free credit, as far as hosts and credit allow.
  mutating func assignments(at now: Moment, atMost limit: Int = .max) -> [Assignment] {
    var made: [Assignment] = []
    guard !isDraining else { return made }
    if let alone = soloAssignment(at: now) { made.append(alone) }
    while made.count < limit, let freest = freestFetcher,
      let next = hosts.next(at: now, where: { Self.wants($0, jobs, slotRequests) }),
      case .job(let id, waits: _) = next.item
    {
      guard let assignment = assign(id, to: freest) else { break }
      health.started(next.host)
      made.append(assignment)
    }
    return made
  }

  /// A fetcher would take another job.
  var hasFreeCredit: Bool { !isDraining && freestFetcher != nil }

  private var freestFetcher: WorkerID? {
    var freest: (id: WorkerID, credit: UInt64)?
    for (id, lane) in fetchers where lane.available > 0 && !solo.isReserved(id) {
      if let freest, (freest.credit, id) > (lane.available, freest.id) { continue }
      freest = (id, lane.available)
    }
    return freest?.id
  }

  /// A job that workers died on goes to a fetcher that has nothing else.
  private mutating func soloAssignment(at now: Moment) -> Assignment? {
    guard
      let id = solo.next(
        where: { jobs[$0]?.isSuspect == true }, among: fetchers.filter { $0.value.available > 0 }.keys,
        at: now, availability: { jobs[$0].map { hosts.availability(host: $0.turnHost, at: now) } ?? .now })
    else { return nil }
    guard let entry = jobs[id.job], let assignment = assign(id.job, to: id.worker) else { return nil }
    hosts.start(host: entry.turnHost, at: now)
    health.started(entry.turnHost)
    return assignment
  }

  private mutating func assign(_ id: JobID, to worker: WorkerID) -> Assignment? {
    guard var entry = jobs[id], fetchers[worker]?.reserve() == true else { return nil }
    forgetLost(&entry)
    lastToken &+= 1
    let lease = Lease(token: LeaseToken(lastToken), attempt: entry.attempts + 1)
    entry.place = .leased(lease, to: worker)
    entry.isQueued = false
    entry.attempts = lease.attempt
    jobs[id] = entry
    holders[lease.token] = id
    solo.began(id, at: worker)
    var order = JobOrder(job: entry.job, lease: lease)
    order.isSuspect = entry.crashesThatCount > 0
    order.continuation = entry.continuation?.walk
    return Assignment(order: order, fetcher: worker)
  }

  /// The ledger granted it, and it goes out now.
  ///
  /// - Returns: Its place in the lane.
  mutating func sent(_ assignment: Assignment) -> UInt64? {
    fetchers[assignment.fetcher]?.sendReserved()
  }

  /// Puts a job where it waits for its turn. One that seems poisoned has none until that is known.
  mutating func queue(_ id: JobID, _ entry: Entry, at now: Moment) {
    guard entry.crashesThatCount < JobLife.crashesUntilPoisoned else { return }
    if entry.crashesThatCount >= JobLife.crashesUntilAlone {
      solo.add(id)
    } else if health.verdict(on: entry.turnHost, at: now) != nil {
      condemned.append(.job(id, waits: entry.waits))
    } else {
      enqueue(id, entry, at: now)
    }
  }

  mutating func paused(_ host: String) {
    if isBounded { pausing.append(host) }
  }

  mutating func takePausingHosts() -> [String] {
    defer { pausing = [] }
    return pausing
  }

  /// The ledger has it, and memory no longer: no worker is on it, and no other job waits for its row.
  mutating func forget(_ id: JobID) {
    if var entry = jobs.removeValue(forKey: id) { forgetLost(&entry) }
    _ = singleFlight.completed(id)
  }

  /// Hosts of which memory holds less than before, or whose pause is over.
  mutating func takeShrunk() -> [String] { hosts.takeShrunk() + singleFlight.takeShrunk() }

  /// Puts a job into the queue of its host.
  mutating func enqueue(_ id: JobID, _ entry: Entry, at now: Moment) {
    hosts.add(.job(id, waits: entry.waits), host: entry.turnHost, of: entry.job.batch, at: now)
    jobs[id]?.isQueued = true
  }

  /// What waited for a host that is given up waits to be ended.
  mutating func condemn(_ waiter: Waiter) {
    if case .job(let id, waits: _) = waiter { jobs[id]?.isQueued = false }
    condemned.append(waiter)
  }

  /// The ledger did not grant it: the job is over there, or another worker's.
  mutating func refused(_ assignment: Assignment, at now: Moment) {
    fetchers[assignment.fetcher]?.putBack()
    _ = removed(assignment.order.job.id, at: now)
  }

  /// The job is over. Those who waited for its row ask for themselves.
  ///
  /// - Parameter isHeld: A worker is on it until `letGo`.
  mutating func removed(_ id: JobID, isHeld: Bool = false, at now: Moment) -> Entry? {
    guard var entry = jobs.removeValue(forKey: id) else { return nil }
    forgetLost(&entry)
    oembedBytes -= entry.oembedBytes
    if case .following(let leader) = entry.place { singleFlight.left(id, leader) }
    if entry.isQueued { hosts.isGone(host: entry.turnHost, of: entry.job.batch) }
    endLease(of: entry, isHeld: isHeld, at: now)
    for passenger in singleFlight.completed(id) {
      guard let entry = jobs[passenger] else { continue }
      if let leader = singleFlight.board(entry.job, host: entry.host) {
        jobs[passenger]?.place = .following(leader)
      } else {
        jobs[passenger]?.place = .queued
        queue(passenger, entry, at: now)
      }
    }
    return entry
  }

  /// The jobs that wait for this one's row.
  func waiters(of id: JobID) -> [Job] {
    singleFlight.waiters(of: id).compactMap { jobs[$0]?.job }
  }

  /// The job has its row, and the first of those who waited for it have theirs.
  mutating func completed(first count: Int, of id: JobID) {
    for passenger in singleFlight.left(first: count, of: id) { jobs[passenger] = nil }
  }

  /// Jobs whose retry is due; they are queued again.
  mutating func dueRetries(at now: Moment) -> [JobID] {
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

  /// There is an answer that may be renewed; nil when it is gone, and the job asks as if there had been none.
  mutating func knows(_ known: Validators?, of id: JobID) {
    jobs[id]?.known = known
  }
}
