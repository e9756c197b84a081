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
    guard !isDraining, !isAllPaused else { return made }
    endHolds(at: now)
    hosts.shareUntried(of: places, at: now)
    if let alone = soloAssignment(at: now) { made.append(alone) }
    while made.count < limit, let freest,
      let next = hosts.next(at: now, where: { Self.wants($0, jobs, slotRequests) }),
      case .job(let id, waits: _) = next.item
    {
      guard let assignment = assign(id, to: fetcher(for: next.host, freest), at: now) else { break }
      health.started(next.host)
      made.append(assignment)
    }
    return made
  }

  /// What the fetchers take.
  private var places: Int {
    let free = fetchers.values.reduce(0) { $0 + $1.available }
    return Int(clamping: free) + holders.count + dropped.count
  }

  /// A fetcher would take another job.
  package var hasFreeCredit: Bool { !isDraining && !isAllPaused && freestFetcher != nil }

  /// The one with most free credit.
  var freestFetcher: WorkerID? { freest?.id }

  var freest: (id: WorkerID, credit: UInt64)? {
    var freest: (id: WorkerID, credit: UInt64)?
    for (id, lane) in fetchers where lane.available > 0 && !solo.isReserved(id) {
      if let freest, (freest.credit, id) > (lane.available, freest.id) { continue }
      freest = (id, lane.available)
    }
    return freest
  }

  /// A job that workers died on goes to a fetcher that has nothing else.
  private mutating func soloAssignment(at now: Moment) -> Assignment? {
    guard
      let id = solo.next(
        where: { jobs[$0]?.isSuspect == true }, among: fetchers.filter { $0.value.available > 0 }.keys,
        at: now, availability: { jobs[$0].map { Self.availability(of: $0, hosts, limits, at: now) } ?? .now })
    else { return nil }
    guard let entry = jobs[id.job], let assignment = assign(id.job, to: id.worker, at: now) else {
      return nil
    }
    hosts.start(host: entry.turnHost, at: now)
    health.started(entry.turnHost)
    return assignment
  }

  /// A batch that is held is looked at again after a while.
  private static func availability(
    of suspect: Entry, _ hosts: HostQueue<Waiter>, _ limits: BatchLimits, at now: Moment
  ) -> HostQueue<Waiter>.Availability {
    if limits.isHeld(suspect.payer) { return .later(now.advanced(byMilliseconds: holdMilliseconds)) }
    return hosts.availability(host: suspect.turnHost, at: now)
  }

  private static let holdMilliseconds: Int64 = 1_000

  private mutating func assign(_ id: JobID, to worker: WorkerID, at now: Moment) -> Assignment? {
    guard var entry = jobs[id], fetchers[worker]?.reserve() == true else { return nil }
    forgetLost(&entry)
    lastToken &+= 1
    let lease = Lease(token: leaseKey.token(lastToken), attempt: entry.attempts + 1)
    entry.place = .leased(lease, to: worker)
    entry.isQueued = false
    entry.attempts = lease.attempt
    jobs[id] = entry
    holders[lease.token] = id
    solo.began(id, at: worker)
    began(entry.payer, isNew: true, at: now)
    var order = JobOrder(job: entry.job, lease: lease)
    order.isSuspect = entry.crashesThatCount > 0
    order.continuation = entry.continuation?.walk
    return Assignment(order: order, fetcher: worker)
  }

  /// The ledger granted it, and it goes out now.
  ///
  /// - Returns: Its place in the lane.
  package mutating func sent(_ assignment: Assignment) -> UInt64? {
    fetchers[assignment.fetcher]?.sendReserved()
  }

  /// Its host may be asked now, its batch is not held, and it does not wait for another's row, to run alone, or in the ledger for a host's
  /// waiters to end.
  package func mayStart(_ open: OpenJob, at now: Moment) -> Bool {
    guard let host = jobs[open.job.id]?.turnHost ?? (try? Intake.host(of: open.job)),
      !isHeld(open.job.batch)
    else { return false }
    if let entry = jobs[open.job.id] {
      if entry.place != .queued || entry.isSuspect { return false }
    } else if singleFlight.surplus(host: host) > 0 {
      return false
    }
    return open.life.crashes < JobLife.crashesUntilAlone && health.verdict(on: host, at: now) == nil
      && hosts.availability(host: host, at: now) == .now
  }
}
