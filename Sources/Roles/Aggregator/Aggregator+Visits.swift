import Pipeline

/// Walks that go on to other hosts, and hosts that are given up. None of it is in the ledger: a walk repeats what it asks,
/// so a new aggregator learns it within a second.
extension Aggregator {
  func take(_ visit: Visit) {
    // A worker may not redirect another worker's walk.
    if let fetcher = dispatcher.fetcher(under: visit.token), fetcher != visit.from { return }
    guard dispatcher.job(under: visit.token) != nil else {
      // Its result is no longer needed.
      let cancel = Cancel(.leases([visit.token]), cause: "the lease is over")
      switchboard.add(.cancel(cancel), to: visit.from)
      return
    }
    if let go = dispatcher.arrived(visit, at: ports.clock.now) { switchboard.add(.go(go), to: visit.from) }
  }

  func letVisitsGo(at now: Moment) {
    for (go, fetcher) in dispatcher.visitsToGo(at: now) { switchboard.add(.go(go), to: fetcher) }
  }

  func endCondemned(_ turn: inout Turn, at now: Moment) {
    guard dispatcher.hasCondemned else { return }
    let condemned = dispatcher.takeCondemned(at: now, atMost: Self.mostGivenOut)
    for (go, fetcher) in condemned.visits { switchboard.add(.go(go), to: fetcher) }
    for job in condemned.jobs { endWithPassengers(job, &turn, at: now) }
    hasNewJobs = hasNewJobs || dispatcher.hasCondemned
  }

  /// Jobs for the same link would only end the same way, one after the other.
  private func endWithPassengers(
    _ condemned: Dispatcher.Condemned.Job, _ turn: inout Turn, at now: Moment
  ) {
    let (entry, host) = (condemned.entry, condemned.host)
    var failure = condemned.failure
    // A page counts although its endpoint's host is given up.
    let isCost = entry.onward?.walk.detour == nil
    if isCost { failure.givenUpHost = host }
    let settlement = ownEnd(of: entry, .dead, failure, at: now)
    turn.add(.settle(settlement))
    let passengers = settlePassengers(of: entry.job, settlement, &turn, at: now)
    if isCost { givenUpHosts.add(host, jobs: 1 + passengers) }
    unhurried.noteRow(at: now)
    _ = dispatcher.removed(entry.job.id, at: now)
  }
}
