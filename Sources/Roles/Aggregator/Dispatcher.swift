import Pipeline

/// Which job goes where and when: the open jobs, the fetchers' credit, hosts' turns, retries and deadlines.
///
/// A pure value. It is the aggregator's picture of the ledger; the ledger's answer to each change decides.
struct Dispatcher: Sendable {
  /// What waits for the turn of a host.
  enum Waiter: Sendable {
    case job(JobID)
    case visit(LeaseToken, number: UInt32)
  }

  struct Assignment: Sendable {
    var order: JobOrder
    var fetcher: WorkerID
  }

  private(set) var jobs: [JobID: Entry] = [:]
  /// What the detours of all jobs take.
  private(set) var detourBytes = 0
  private var holders: [LeaseToken: JobID] = [:]
  /// What workers are still on although its job is over.
  private var dropped: [LeaseToken: Hold] = [:]
  var fetchers: [WorkerID: LaneSender] = [:]
  /// What had been sent to each at one of its HELLOs, and when, until it says that it has it.
  var sentLately: [WorkerID: (sent: UInt64, watched: Int64)] = [:]
  var hosts: HostQueue<Waiter>
  var visits = Visits()
  var health = HostHealth()
  /// What waited for hosts that were given up.
  var condemned = FIFO<Waiter>()
  var solo = SoloRun()
  private var flights = Flights()
  private var retries = MinHeap<Moment, JobID>()
  var deadlines = MinHeap<Moment, JobID>()
  private var lastToken: UInt64
  private var isDraining = false

  /// - Parameter lastToken: The greatest token ever granted; new ones are greater.
  init(settings: AggregatorSettings, lastToken: LeaseToken = LeaseToken(0)) {
    self.lastToken = lastToken.value
    hosts = HostQueue(perHost: settings.perHost, delayMilliseconds: settings.hostDelayMilliseconds)
  }

  /// Jobs that wait for their turn, or for the row of another.
  var queued: Int { hosts.count() + solo.count + flights.passengerCount + condemned.count }

  /// Nothing is ended that is to stay where it is.
  var hasCondemned: Bool { !condemned.isEmpty && !isDraining }

  /// When something will be due without a message; nil when nothing waits for time.
  var nextWake: Moment? {
    let visitPause = hosts.nextPauseEnd(in: .visits)
    if isDraining { return [deadlines.first?.key, visitPause].compactMap { $0 }.min() }
    // Without credit the end of a pause changes nothing: woken for it, the loop would spin until credit comes.
    let pauseEnd = freestFetcher == nil ? nil : hosts.nextPauseEnd()
    return [retries.first?.key, deadlines.first?.key, pauseEnd, visitPause, solo.nextWake].compactMap { $0 }
      .min()
  }

  var remains: [String: Int] {
    [
      "jobs": jobs.count, "holders": holders.count + dropped.count, "queued jobs": queued,
      "flights": flights.count,
      "visits": visits.count + hosts.count(in: .visits), "detour bytes": detourBytes,
    ]
  }

  /// No worker is on anything.
  var isQuiet: Bool { holders.isEmpty }

  /// Nothing more is given out, and no worker is on anything.
  var isDrained: Bool { isDraining && isQuiet }

  /// From now on jobs stay where they are; those under way come to their end.
  mutating func drain() {
    isDraining = true
  }

  func job(under token: LeaseToken) -> JobID? { holders[token] }

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
    } else if let leader = flights.board(open.job) {
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
      let next = hosts.next(at: now, where: { Self.wants($0, jobs, visits) }), case .job(let id) = next.item
    {
      guard let assignment = assign(id, to: freest) else { break }
      health.started(next.host)
      made.append(assignment)
    }
    return made
  }

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
        where: { jobs[$0]?.place == .queued }, among: fetchers.filter { $0.value.available > 0 }.keys,
        at: now, turn: { jobs[$0].map { hosts.turn(host: $0.turnHost, at: now) } ?? .now })
    else { return nil }
    guard let entry = jobs[id.job], let assignment = assign(id.job, to: id.worker) else { return nil }
    hosts.start(host: entry.turnHost, at: now)
    health.started(entry.turnHost)
    return assignment
  }

  private mutating func assign(_ id: JobID, to worker: WorkerID) -> Assignment? {
    guard var entry = jobs[id], fetchers[worker]?.reserve() == true else { return nil }
    lastToken &+= 1
    let lease = Lease(token: LeaseToken(lastToken), attempt: entry.attempts + 1)
    entry.place = .leased(lease, to: worker)
    entry.isInLine = false
    entry.attempts = lease.attempt
    jobs[id] = entry
    holders[lease.token] = id
    solo.began(id, at: worker)
    var order = JobOrder(job: entry.job, lease: lease)
    order.isSuspect = entry.crashesThatCount > 0
    order.onward = entry.onward?.walk
    return Assignment(order: order, fetcher: worker)
  }

  /// The ledger granted it, and it goes out now.
  ///
  /// - Returns: Its place in the lane.
  mutating func sent(_ assignment: Assignment) -> UInt64? {
    fetchers[assignment.fetcher]?.sendReserved()
  }

  /// Puts a job where it waits for its turn. One that seems poisoned has none until that is known.
  private mutating func queue(_ id: JobID, _ entry: Entry, at now: Moment) {
    guard entry.crashesThatCount < JobLife.crashesUntilPoisoned else { return }
    if entry.crashesThatCount >= JobLife.crashesUntilAlone {
      solo.add(id)
    } else if health.verdict(on: entry.turnHost, at: now) != nil {
      condemned.append(.job(id))
    } else {
      line(up: id, entry, at: now)
    }
  }

  /// Puts a job into the line of its host.
  mutating func line(up id: JobID, _ entry: Entry, at now: Moment) {
    hosts.add(.job(id), host: entry.turnHost, at: now)
    jobs[id]?.isInLine = true
  }

  /// What waited for a host that is given up waits to be ended.
  mutating func condemn(_ waiter: Waiter) {
    if case .job(let id) = waiter { jobs[id]?.isInLine = false }
    condemned.append(waiter)
  }

  /// The ledger did not grant it: the job is over there, or somebody else's.
  mutating func refused(_ assignment: Assignment, at now: Moment) {
    fetchers[assignment.fetcher]?.putBack()
    _ = removed(assignment.order.job.id, at: now)
  }

  /// The job is over. Those who waited for its row ask for themselves.
  ///
  /// - Parameter isHeld: A worker is on it until `letGo`.
  mutating func removed(_ id: JobID, isHeld: Bool = false, at now: Moment) -> Entry? {
    guard let entry = jobs.removeValue(forKey: id) else { return nil }
    detourBytes -= entry.detourBytes
    if case .following(let leader) = entry.place { flights.left(id, leader) }
    if entry.isInLine { hosts.isGone(host: entry.turnHost) }
    endLease(of: entry, isHeld: isHeld, at: now)
    for passenger in flights.landed(id) {
      guard let entry = jobs[passenger] else { continue }
      if let leader = flights.board(entry.job) {
        jobs[passenger]?.place = .following(leader)
      } else {
        jobs[passenger]?.place = .queued
        queue(passenger, entry, at: now)
      }
    }
    return entry
  }

  /// The jobs that wait for this one's row.
  func passengers(of id: JobID) -> [Job] {
    flights.passengers(of: id).compactMap { jobs[$0]?.job }
  }

  /// The job has its row, and the first of those who waited for it have theirs.
  mutating func landed(first count: Int, of id: JobID) {
    for passenger in flights.left(first: count, of: id) { jobs[passenger] = nil }
  }

  mutating func postponed(_ id: JobID, until moment: Moment, after failure: Failure, at now: Moment) {
    guard let entry = jobs[id] else { return }
    endLease(of: entry, at: now)
    jobs[id]?.lastFailure = failure
    go(id, onward: nil)
    jobs[id]?.place = .scheduled
    retries.insert(id, at: moment)
  }

  /// A lease came back. The attempt counts only when the job can have been executing. A detour is still to be made: the
  /// page is read, and whoever the worker died of, it was not the page.
  mutating func returned(
    _ id: JobID, crashed: Bool, at now: Moment, onward: (walk: Onward, host: String)? = nil
  ) {
    guard let entry = jobs[id] else { return }
    endLease(of: entry, at: now)
    jobs[id]?.place = .queued
    go(id, onward: onward ?? entry.onward.flatMap { $0.walk.detour == nil ? nil : $0 })
    if crashed {
      jobs[id]?.crashed()
    } else if entry.attempts > 0 {
      jobs[id]?.attempts -= 1
    }
    if let entry = jobs[id] { queue(id, entry, at: now) }
  }

  /// A page led on: the job waits for its turn again, for another host.
  mutating func ledOn(_ id: JobID, _ onward: Onward, host: String, at now: Moment) {
    returned(id, crashed: false, at: now, onward: (onward, host))
  }

  private mutating func go(_ id: JobID, onward: (walk: Onward, host: String)?) {
    detourBytes -= jobs[id]?.detourBytes ?? 0
    jobs[id]?.onward = onward
    detourBytes += jobs[id]?.detourBytes ?? 0
  }

  /// One of its crashes was none, and the attempt is not charged. A job that seemed poisoned gets its turn.
  mutating func absolved(_ id: JobID, lostUnder token: LeaseToken, at now: Moment) {
    guard var entry = jobs[id] else { return }
    let hadNoTurn = entry.crashesThatCount >= JobLife.crashesUntilPoisoned && entry.place == .queued
    guard entry.absolved(of: token) else { return }
    jobs[id] = entry
    if hadNoTurn { queue(id, entry, at: now) }
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

  /// The worker is not on it any more, or gone.
  mutating func letGo(_ token: LeaseToken, at now: Moment) {
    guard !dropped.isEmpty, let hold = dropped.removeValue(forKey: token) else { return }
    end(hold, at: now)
  }

  private mutating func endLease(of entry: Entry, isHeld: Bool = false, at now: Moment) {
    guard case .leased(let lease, let worker) = entry.place else { return }
    holders[lease.token] = nil
    let slot = visits.slot(under: lease.token, of: entry.turnHost)
    visits.ended(lease.token)
    let hold = Hold(job: entry.job.id, worker: worker, slot: slot)
    if isHeld { dropped[lease.token] = hold } else { end(hold, at: now) }
  }

  private mutating func end(_ hold: Hold, at now: Moment) {
    solo.ended(hold.job, at: hold.worker)
    if let host = hold.slot { hosts.ended(host: host, at: now) }
  }
}
