import Links
package import Pipeline

/// Walks that go on to other hosts. Their turns are bounded by the fetchers' credit, which they hold meanwhile, so they go
/// first.
extension Dispatcher {
  /// A walk gives its slot up and waits for one of another host; a repetition changes nothing.
  ///
  /// - Returns: What to answer at once: that it has it already, or never will. nil when it waits, or is out of date.
  package mutating func arrived(_ request: HostSlotRequest, at now: Moment) -> HostSlotGrant? {
    guard let entry = entry(under: request.token) else { return nil }
    let left = slotRequests.slot(under: request.token, of: entry.turnHost)
    let isNew = slotRequests.began(
      HostSlotRequests.Request(number: request.number, host: request.host, fetcher: request.from),
      under: request.token)
    guard isNew else { return repeated(request) }
    if let left {
      answered(left, at: now)
      hosts.ended(host: left, at: now)
    }
    guard !request.isUnderWay else {
      slotRequests.became(.going, under: request.token)
      hosts.began(host: request.host, at: now)
      return nil
    }
    if let verdict = health.verdict(on: request.host, at: now) {
      let refusal = Failure.givenUp(entry, request.host, verdict)
      slotRequests.became(.refused(refusal), under: request.token)
      return HostSlotGrant(token: request.token, number: request.number, refusal: refusal)
    }
    hosts.add(
      .hostSlotRequest(request.token, number: request.number), host: request.host, in: .redirects, at: now)
    return nil
  }

  private func repeated(_ request: HostSlotRequest) -> HostSlotGrant? {
    guard let known = slotRequests[request.token], known.number == request.number else { return nil }
    switch known.state {
    case .waiting: return nil
    case .going: return HostSlotGrant(token: request.token, number: request.number)
    case .refused(let refusal):
      return HostSlotGrant(token: request.token, number: request.number, refusal: refusal)
    }
  }

  /// The walks whose turn it is, with their fetchers.
  package mutating func hostSlotsToGrant(at now: Moment) -> [(grant: HostSlotGrant, fetcher: WorkerID)] {
    var granted: [(grant: HostSlotGrant, fetcher: WorkerID)] = []
    while let next = hosts.next(in: .redirects, at: now, where: { Self.wants($0, jobs, slotRequests) }) {
      guard case .hostSlotRequest(let token, let number) = next.item, let request = slotRequests[token] else {
        continue
      }
      slotRequests.became(.going, under: token)
      health.started(next.host)
      granted.append((HostSlotGrant(token: token, number: number), request.fetcher))
    }
    return granted
  }

  func isWanted(_ waiter: Waiter) -> Bool { Self.wants(waiter, jobs, slotRequests) }

  /// Given what it needs one by one: a closure over all of the dispatcher would make every start copy its queues.
  static func wants(_ waiter: Waiter, _ jobs: [JobID: Entry], _ slotRequests: HostSlotRequests) -> Bool {
    switch waiter {
    case .job(let id, let waits):
      guard let entry = jobs[id] else { return false }
      return entry.place == .queued && entry.waits == waits
    case .hostSlotRequest(let token, let number):
      guard let request = slotRequests[token], request.number == number, case .waiting = request.state else {
        return false
      }
      return true
    }
  }

  /// The host that is given up, when that is why the walk failed.
  package func givenUpHost(behind failure: Failure, under token: LeaseToken) -> String? {
    guard let request = slotRequests[token], case .refused(failure) = request.state else { return nil }
    return request.host
  }

  /// The slot was refused; its job is not tried again by itself.
  package func isRefused(_ token: LeaseToken) -> Bool {
    if case .refused = slotRequests[token]?.state { true } else { false }
  }
}

/// The slots that redirects have asked for at other hosts than their link's, by lease: whether they wait, or have one.
/// A pure value.
struct HostSlotRequests: Sendable {
  struct Request: Sendable {
    enum State: Sendable {
      case waiting
      case going
      /// The host may not be asked.
      case refused(Failure)
    }

    var number: UInt32
    var host: String
    var fetcher: WorkerID
    var state = State.waiting
  }

  private var requests: [LeaseToken: Request] = [:]

  var count: Int { requests.count }

  subscript(token: LeaseToken) -> Request? { requests.isEmpty ? nil : requests[token] }

  /// - Returns: False for one that came before, or is older than one that did.
  mutating func began(_ request: Request, under token: LeaseToken) -> Bool {
    if let known = requests[token], known.number >= request.number { return false }
    requests[token] = request
    return true
  }

  mutating func became(_ state: Request.State, under token: LeaseToken) {
    requests[token]?.state = state
  }

  mutating func ended(_ token: LeaseToken) {
    if !requests.isEmpty { requests[token] = nil }
  }

  /// The host of which a job has a slot; nil while it waits for one.
  func slot(under token: LeaseToken, of linkHost: String) -> String? {
    guard let request = self[token] else { return linkHost }
    guard case .going = request.state else { return nil }
    return request.host
  }
}
