import Links
package import Pipeline

/// Hosts that only fail, or asked for peace.
extension Dispatcher {
  /// An attempt has ended, which tells something about the host that it was on.
  package mutating func learned(from result: JobResult, at now: Moment) {
    let sign = HostSign(result.sideFailure ?? result.failure)
    switch sign {
    case .silence: return
    case .answer, .slowness:
      let token = result.lease.token
      guard entry(under: token) != nil, let host = leases[token]?.slot else { return }
      if result.failure == nil { health.served(host) }
      guard sign == .slowness else { return answered(host, at: now) }
      hosts.tried(host: host, answers: true, at: now)
      health.wasSlow(host)
    case .noWay(let kind):
      guard let host = result.failedHost else { return }
      hosts.tried(host: host, answers: false, at: now)
      carryOut(health.failed(host, kind, at: now), at: now)
    }
  }

  mutating func answered(_ host: String, at now: Moment) {
    hosts.tried(host: host, answers: true, at: now)
    carryOut(health.succeeded(host), at: now)
  }

  /// A peer asked for peace: nothing starts on its host before `moment`.
  package mutating func pause(host: String, until moment: Moment) {
    hosts.pause(host: host, until: moment)
    paused(host)
    changedHosts.insert(host)
  }

  /// An earlier aggregator left these hosts alone, which the ledger and the log know.
  package mutating func inherit(_ waits: [String: HostWait], at now: Moment) {
    for (host, wait) in waits {
      switch wait {
      case .asked(let moment): asked(host: host, by: .httpStatus, until: moment, budget: .max, at: now)
      case .givenUp(let verdict):
        let orders = health.giveUp(host, verdict, at: now)
        carryOut(orders, at: now)
        if orders.isEmpty, verdict.isAskedToWait { pause(host: host, until: verdict.until) }
      }
    }
    (changedHosts, hostNews) = ([], [])
  }

  /// What the next aggregator is to know of hosts since this was taken.
  package mutating func takeHostWaits(at now: Moment) -> [String: HostWait] {
    exchange(&changedHosts, with: []).reduce(into: [:]) { waits, host in
      waits[host] =
        health.verdict(on: host, at: now).map { .givenUp($0) }
        ?? .asked(until: hosts.nextStart(host: host) ?? now)
    }
  }

  /// A host, or each when none is named, is no longer given up: what is sent to it next decides.
  package mutating func forgive(_ host: String? = nil, at now: Moment) {
    changedHosts.formUnion(health.forgive(host, at: now))
  }

  /// An answer asked for peace until `moment`: the host has it, or is given up when it asked for too much.
  package mutating func asked(
    host: String, by kind: FailureKind, until moment: Moment, budget: Int64, at now: Moment
  ) {
    let orders = health.asked(host, kind, until: moment, budget: budget, at: now)
    if orders.isEmpty { pause(host: host, until: moment) } else { carryOut(orders, at: now) }
  }

  mutating func carryOut(_ orders: [HostHealth.Order], at now: Moment) {
    for order in orders {
      switch order.change {
      case .slowDown(let moment):
        hosts.limit(host: order.host, to: 1, at: now)
        hosts.pause(host: order.host, until: moment)
        paused(order.host)
      case .giveUp(let verdict):
        hostNews.append((order.host, verdict))
        changedHosts.insert(order.host)
        hosts.limit(host: order.host, to: 1, at: now)
        for waiter in hosts.takeAll(host: order.host, at: now) where isWanted(waiter) {
          giveUp(waiter)
        }
      case .free, .welcomeBack:
        hosts.limit(host: order.host, to: nil, at: now)
        if order.change == .welcomeBack {
          hostNews.append((order.host, nil))
          changedHosts.insert(order.host)
        }
      }
    }
  }

  /// Jobs that end because their host is given up, and walks that may not go on to it.
  package mutating func takeGivenUp(at now: Moment, atMost limit: Int) -> GivenUp {
    var taken = GivenUp()
    while taken.count < limit, let waiter = givenUp.popFirst() {
      guard isWanted(waiter) else { continue }
      switch waiter {
      case .job(let id, ticket: _):
        guard let entry = jobs[id] else { continue }
        if let verdict = health.verdict(on: entry.turnHost, at: now) {
          taken.jobs.append((entry, Failure.givenUp(entry, entry.turnHost, verdict)))
        } else {
          enqueue(id, entry, at: now)
        }
      case .hostSlotRequest(let token, let number):
        guard let lease = leases[token], var detour = lease.detour, let entry = entry(under: token) else {
          continue
        }
        if let verdict = health.verdict(on: detour.host, at: now) {
          let refusal = Failure.givenUp(entry, detour.host, verdict)
          detour.refusal = refusal
          leases.led(token, to: detour, slot: nil)
          taken.slotRequests.append(
            (HostSlotGrant(token: token, number: number, refusal: refusal), lease.fetcher))
        } else {
          hosts.add(waiter, host: detour.host, in: .redirects, at: now)
        }
      }
    }
    return taken
  }

  package struct GivenUp {
    package var jobs: [(entry: Entry, failure: Failure)] = []
    package var slotRequests: [(grant: HostSlotGrant, fetcher: WorkerID)] = []

    var count: Int { jobs.count + slotRequests.count }
  }
}

/// What the end of an attempt tells about the host that it was on.
enum HostSign: Hashable, Sendable {
  /// It answered, whatever it was.
  case answer
  /// It took the connection, and the page did not come in time.
  case slowness
  case noWay(FailureKind)
  case silence

  init(_ failure: Failure?) {
    guard let failure else {
      self = .answer
      return
    }
    // What will not pass tells nothing about other links.
    let noWay: HostSign = failure.retryable ? .noWay(failure.kind) : .silence
    self =
      switch failure.kind.traits.hostEvidence {
      case .answer: .answer
      case .noWay: noWay
      case .byStage:
        switch failure.stage {
        case .dns, .connect, .tls: noWay
        // A connection that stands and is slow says something about one page.
        case .firstByte, .headers, .body: .slowness
        case .input, .queue, .address, .redirect, .page, .json, .select: .silence
        }
      case .none: .silence
      }
  }
}

/// A host that is given up, as the rows of its jobs tell of it.
extension Failure {
  /// The host only fails, and nothing more is sent to it for a while.
  static func givenUp(_ entry: Dispatcher.Entry, _ host: String, _ verdict: HostVerdict) -> Failure {
    let (why, remedy) =
      switch (verdict.isAskedToWait, verdict.kind) {
      case (true, .robots):
        ("the robots.txt of \(host) is not to be had for longer than jobs wait", "raise --retries")
      case (true, _): ("\(host) asks to wait (Retry-After) for longer than jobs do", "raise --retries")
      case (false, _): ("\(verdict.failures) failures in a row at \(host)", "raise --give-up")
      }
    return Failure(
      verdict.kind, at: .queue,
      "\(shown(entry.job)): \(why), given up until \(CivilDate(verdict.until))\(told(entry.lastFailure)); requeue later, or \(remedy)",
      retryable: true)
  }

  /// What a failure calls a job.
  package static func shown(_ job: Job) -> String {
    job.kind == .run ? "run \(job.input ?? "")" : "fetch \(printableLink(job.input ?? ""))"
  }

  /// How the last attempt ended.
  package static func told(_ last: Failure?) -> String {
    last.map { "; the last attempt ended so: \($0.message)" } ?? ""
  }
}
