import Pipeline

/// What users want of batches, of hosts and of the fleet as a whole: terms and pauses. The ledger keeps them.
extension Aggregator {
  /// Hosts that may be paused at a time.
  private static let mostPausedHosts = 10_000

  func take(_ order: PauseOrder, _ ask: Ask, _ transaction: inout Transaction) {
    if order.pause != nil, case .host(let host) = order.scope,
      dispatcher.hosts.heldHosts.count >= Self.mostPausedHosts, !dispatcher.hosts.isHeld(host: host)
    {
      return say(PauseOrder.Reply(isPaused: false, wasChanged: false), to: ask)
    }
    var pause = order.pause
    pause?.at = ports.clock.now
    transaction.add(.pause(order.scope, pause), for: ask)
  }

  /// It is in the ledger. No job starts before the next turn, which takes over what is paused.
  func say(_ step: Transaction.BatchStep, _ answer: BatchAnswer) {
    switch step.change {
    case .pause(let scope, let pause, dueBy: _):
      // A pause that goes on can have another end.
      (sharing.isStale, hasNewJobs) = (true, true)
      if let ask = step.ask {
        if pause == nil, let host = scope.host { dispatcher.forgive(host, at: ports.clock.now) }
        say(PauseOrder.Reply(isPaused: pause != nil, wasChanged: answer == .applied), to: ask)
      } else if answer == .applied {
        let fields = [scope.host.map { LogField("host", $0) }, scope.batch.map { .batch($0) }]
        ports.log.record(.info, "a pause is over", fields.compactMap(\.self))
      }
    case .terms:
      (sharing.isStale, hasNewJobs) = (true, true)
      if let ask = step.ask { say(answer != .stale, to: ask) }
    case .cancel(let batch, let cancellation):
      guard case .cancelled(let jobs) = answer else { break }
      cancelled(batch, cancellation, jobs: jobs)
      if let ask = step.ask { say(jobs, to: ask) }
    case .resume(let batch): resumed(batch, at: ports.clock.now)
    case .abandon, .confirmRows: break
    }
  }

  /// Ends the pauses whose time is over. One that was given another end meanwhile goes on.
  func endPauses(_ transaction: inout Transaction, at now: Moment) {
    guard let next = sharing.nextPauseEnd, next <= now else { return }
    for (scope, pause) in sharing.pauses where pause.until.map({ $0 <= now }) ?? false {
      transaction.add(.pause(scope, nil, dueBy: now))
    }
  }

  /// Hosts that are looked at for each answer.
  private static let mostHostsLookedAt = 8

  /// What keeps jobs of a batch from starting; nil when nothing does.
  func pause(before batch: BatchID) async throws -> KnownPause? {
    for scope in [PauseScope.batch(batch), .all] {
      if let pause = sharing.pauses[scope] { return KnownPause(scope, pause) }
    }
    for host in dispatcher.hosts.heldHosts.sorted().prefix(Self.mostHostsLookedAt) {
      let page = try await ledger.page(JobQuery(.atHost(host, of: batch), limit: 1))
      guard !page.items.isEmpty, let pause = sharing.pauses[.host(host)] else { continue }
      return KnownPause(.host(host), pause)
    }
    return nil
  }

  /// Takes over what the ledger knows of pauses and terms. A run that has the aggregator for itself goes by none.
  func learnShares(at now: Moment) async throws {
    guard settings.onlyBatch == nil, sharing.isStale || dispatcher.limits.count > sharing.mostUnusualBatches
    else { return }
    let shares = try await read { try await $0.shares() }
    dispatcher.learned(shares, at: now)
    sharing.learned(shares, unusual: dispatcher.limits.count)
    hasNewJobs = true
  }
}

/// What the ledger knows of pauses and terms, as it was read last. A pure value.
struct Sharing: Sendable {
  /// It is to be read.
  var isStale = true
  /// It is read too when memory knows of so many batches with terms.
  private(set) var mostUnusualBatches = 1_000
  private(set) var pauses: [PauseScope: Pause] = [:]
  /// When the first pause ends.
  private(set) var nextPauseEnd: Moment?

  mutating func learned(_ shares: KnownShares, unusual: Int) {
    (isStale, pauses, mostUnusualBatches) = (false, shares.pauses, max(1_000, 2 * unusual))
    nextPauseEnd = pauses.values.compactMap(\.until).min()
  }
}
