import Pipeline
import Scheduling

/// What an earlier aggregator left behind.
extension Aggregator {
  /// Takes up the leases; all other jobs are read as there is room for them, so that millions delay nothing.
  func recover() async throws {
    let now = ports.clock.now
    let left = try await takeOver(at: now)
    dispatcher = Dispatcher(settings: settings, lastToken: left.lastToken, leaseKey: left.leaseKey)
    registry.listens(at: now)
    let seen = settings.workersMayLive ? left.lastSeen : [:]
    try await learnCancellations()
    try await learnShares(at: now)
    var begun = Transaction()
    try await beginRuns(&begun, at: now)
    advanceRuns(&begun, at: now)
    _ = try await commit(begun)
    try await forEachPage(of: .leased) { try await takeUpLeases($0, seen, at: now) }
    let counts = try await read { try await $0.summary(batches: 0).jobs }
    openJobs = counts.open
    if counts.ready > 0 { backlog.leftOutSome(at: now) }
    if counts.scheduled > 0 { backlog.leftOutRetry(at: now) }
  }

  /// Reads our open jobs of a kind to their end.
  func forEachPage(of which: JobQuery.What, _ body: ([LedgerJob]) async throws -> Void) async throws {
    var query = JobQuery(which, limit: Backlog.page)
    repeat {
      let page = try await read { [query] in try await $0.page(query) }
      try await body(page.items.filter(isOurs))
      query.after = page.next
    } while query.after != nil
  }

  /// Workers that may live keep their leases and have some time to say so. Those of a process that ended are gone,
  /// though a success they still send counts.
  private func takeUpLeases(_ page: [LedgerJob], _ seen: [WorkerID: Moment], at now: Moment) async throws {
    var transaction = Transaction()
    for open in page {
      guard case .leased(let stored) = open.life.state else { continue }
      let token = dispatcher.leaseKey.token(stored.value, of: open.job.id)
      guard settings.workersMayLive, let holder = open.state.worker, let host = try? Intake.host(of: open.job)
      else {
        transaction.add(open.job.id, .returned(token))
        continue
      }
      registry.expect(
        holder, lastHeard: seen[holder] ?? now, lastHeardAny: seen.values.max() ?? now, at: now)
      dispatcher.adopt(open, Lease(token: token, attempt: open.life.attempts), to: holder, host, at: now)
    }
    _ = try await commit(transaction)
  }
}
