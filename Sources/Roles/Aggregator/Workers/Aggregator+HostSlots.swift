import Pipeline

/// Walks that go on to other hosts, and hosts that are given up. None of it is in the ledger: a walk repeats what it asks,
/// so a new aggregator learns it within a second.
extension Aggregator {
  func take(_ request: HostSlotRequest) {
    // A worker may not redirect another worker's walk.
    if let fetcher = dispatcher.fetcher(under: request.token), fetcher != request.from { return }
    guard dispatcher.job(under: request.token) != nil else {
      // Its result is no longer needed.
      let cancel = Cancel(.leases([request.token]), cause: "the lease is over")
      connections.add(.cancel(cancel), to: request.from)
      return
    }
    if let grant = dispatcher.arrived(request, at: ports.clock.now) {
      connections.add(.hostSlotGrant(grant), to: request.from)
    }
  }

  func grantHostSlots(at now: Moment) {
    for (grant, fetcher) in dispatcher.hostSlotsToGrant(at: now) {
      connections.add(.hostSlotGrant(grant), to: fetcher)
    }
  }

  func endGivenUp(_ transaction: inout Transaction, at now: Moment) {
    for (host, verdict) in exchange(&dispatcher.hostNews, with: []) { tell(of: host, verdict) }
    guard dispatcher.hasGivenUp else { return }
    let givenUp = dispatcher.takeGivenUp(at: now, atMost: Self.mostGivenOut)
    for (grant, fetcher) in givenUp.slotRequests { connections.add(.hostSlotGrant(grant), to: fetcher) }
    for (entry, failure) in givenUp.jobs { endWithWaiters(entry, failure, &transaction, at: now) }
    hasNewJobs = hasNewJobs || dispatcher.hasGivenUp
  }

  /// A run of one process says it at its end.
  private func tell(of host: String, _ verdict: HostVerdict?) {
    guard settings.workersMayLive else { return }
    guard let verdict else {
      return ports.log.record(.info, "a host that was given up answers again", [LogField("host", host)])
    }
    ports.log.record(
      .warning, "a host is given up, and its jobs fail",
      [
        LogField("host", host), LogField("failures", verdict.failures),
        LogField("kind", verdict.kind.rawValue), LogField("until", verdict.until.timestamp),
      ])
  }

  /// Jobs for the same link would only end the same way, one after the other.
  private func endWithWaiters(
    _ entry: Dispatcher.Entry, _ cause: Failure, _ transaction: inout Transaction, at now: Moment
  ) {
    var failure = cause
    // A page counts although its endpoint's host is given up.
    let isCost = entry.continuation?.walk.oembed == nil
    if isCost { failure.givenUpHost = entry.turnHost }
    let answer = ownAnswer(to: entry, failure, at: now)
    let settled = settle(entry.job, under: nil, answer, &transaction, at: now)
    if isCost { givenUpHosts.add(entry.turnHost, jobs: settled) }
  }
}
