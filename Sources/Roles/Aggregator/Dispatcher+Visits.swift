import Pipeline

/// Walks that go on to other hosts. Their turns are bounded by the fetchers' credit, which they hold meanwhile, so they go
/// first.
extension Dispatcher {
  /// A walk gives its slot up and waits for one of another host; a repetition changes nothing.
  ///
  /// - Returns: What to answer at once: that it has it already, or never will. nil when it waits, or is out of date.
  mutating func arrived(_ visit: Visit, at now: Moment) -> Go? {
    guard let entry = entry(under: visit.token) else { return nil }
    let left = visits.slot(under: visit.token, of: entry.turnHost)
    let isNew = visits.began(
      Visits.Visit(number: visit.number, host: visit.host, fetcher: visit.from), under: visit.token)
    guard isNew else { return repeated(visit) }
    if let left {
      carryOut(health.succeeded(left), at: now)
      hosts.ended(host: left, at: now)
    }
    guard !visit.isUnderWay else {
      visits.became(.going, under: visit.token)
      hosts.began(host: visit.host, at: now)
      return nil
    }
    if let verdict = health.verdict(on: visit.host, at: now) {
      let refusal = Failure.givenUp(entry, visit.host, verdict)
      visits.became(.refused(refusal), under: visit.token)
      return Go(token: visit.token, number: visit.number, refusal: refusal)
    }
    hosts.add(.visit(visit.token, number: visit.number), host: visit.host, in: .visits, at: now)
    return nil
  }

  private func repeated(_ visit: Visit) -> Go? {
    guard let known = visits[visit.token], known.number == visit.number else { return nil }
    switch known.state {
    case .waiting: return nil
    case .going: return Go(token: visit.token, number: visit.number)
    case .refused(let refusal): return Go(token: visit.token, number: visit.number, refusal: refusal)
    }
  }

  /// The walks whose turn it is, with their fetchers.
  mutating func visitsToGo(at now: Moment) -> [(go: Go, fetcher: WorkerID)] {
    var gone: [(go: Go, fetcher: WorkerID)] = []
    while let next = hosts.next(in: .visits, at: now, where: { Self.wants($0, jobs, visits) }) {
      guard case .visit(let token, let number) = next.item, let visit = visits[token] else { continue }
      visits.became(.going, under: token)
      health.started(next.host)
      gone.append((Go(token: token, number: number), visit.fetcher))
    }
    return gone
  }

  func isWanted(_ waiter: Waiter) -> Bool { Self.wants(waiter, jobs, visits) }

  /// Given what it needs one by one: a closure over all of the dispatcher would make every start copy its queues.
  static func wants(_ waiter: Waiter, _ jobs: [JobID: Entry], _ visits: Visits) -> Bool {
    switch waiter {
    case .job(let id, let waits):
      guard let entry = jobs[id] else { return false }
      return entry.place == .queued && entry.waits == waits
    case .visit(let token, let number):
      guard let visit = visits[token], visit.number == number, case .waiting = visit.state else {
        return false
      }
      return true
    }
  }

  /// The host that is given up, when that is why the walk failed.
  func givenUpHost(behind failure: Failure, under token: LeaseToken) -> String? {
    guard let visit = visits[token], case .refused(failure) = visit.state else { return nil }
    return visit.host
  }

  /// The visit was refused; its job is not tried again by itself.
  func isRefused(_ token: LeaseToken) -> Bool {
    if case .refused = visits[token]?.state { true } else { false }
  }
}
