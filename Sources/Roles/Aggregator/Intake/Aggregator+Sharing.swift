import Pipeline
import Scheduling

/// What users want of batches, of hosts and of the fleet as a whole: terms and pauses. The ledger keeps them.
extension Aggregator {
  /// Hosts that may be paused at a time.
  private static let mostPausedHosts = 10_000

  func take(_ order: PauseOrder, _ ask: Ask, _ transaction: inout Transaction) {
    if order.pause != nil, case .host(let host) = order.scope,
      dispatcher.pausedHosts.count >= Self.mostPausedHosts, !dispatcher.pausedHosts.contains(host)
    {
      return said(ask, order.scope, isPaused: false, wasChanged: false)
    }
    var pause = order.pause
    pause?.at = ports.clock.now
    transaction.add(.pause(order.scope, pause), for: ask)
  }

  /// The ledger has it. No job starts before the next turn, which takes it over.
  func said(_ ask: Ask, _ scope: PauseScope, isPaused: Bool, wasChanged: Bool) {
    if !isPaused, case .host(let host) = scope { dispatcher.health.forgive(host, at: ports.clock.now) }
    // A pause that goes on can have another end.
    (sharesAreStale, hasNewJobs) = (true, true)
    say(PauseOrder.Reply(isPaused: isPaused, wasChanged: wasChanged), to: ask)
  }

  func changed(_ ask: Ask, isKnown: Bool) {
    (sharesAreStale, hasNewJobs) = (true, true)
    say(isKnown, to: ask)
  }

  /// Ends the pauses whose time is over. One that was given another end meanwhile goes on.
  func endPauses(_ transaction: inout Transaction, at now: Moment) {
    guard let next = nextPauseEnd, next <= now else { return }
    for (scope, pause) in pauses where pause.until.map({ $0 <= now }) ?? false {
      transaction.add(.pause(scope, nil, dueBy: now))
    }
  }

  func ended(_ scope: PauseScope, wasPaused: Bool) {
    (sharesAreStale, hasNewJobs) = (true, true)
    guard wasPaused else { return }
    let field: [LogField] =
      switch scope {
      case .all: []
      case .host(let host): [LogField("host", host)]
      case .batch(let batch): [.batch(batch)]
      }
    ports.log.record(.info, "a pause is over", field)
  }

  /// Hosts that are looked at for each answer.
  private static let mostHostsLookedAt = 8

  /// What keeps jobs of a batch from starting; nil when nothing does.
  func pause(before batch: BatchID) async throws -> KnownPause? {
    for scope in [PauseScope.batch(batch), .all] {
      if let pause = pauses[scope] { return KnownPause(scope, pause) }
    }
    for host in dispatcher.pausedHosts.sorted().prefix(Self.mostHostsLookedAt) {
      let page = try await ledger.page(JobQuery(.atHost(host, of: batch), limit: 1))
      if !page.items.isEmpty, let pause = pauses[.host(host)] { return KnownPause(.host(host), pause) }
    }
    return nil
  }

  /// Takes over what the ledger knows of pauses and terms. A run that has the aggregator for itself goes by none.
  func learnShares(at now: Moment) async throws {
    guard settings.onlyBatch == nil, sharesAreStale || dispatcher.unusualBatches > mostUnusualBatches else {
      return
    }
    sharesAreStale = false
    let shares = try await read { try await $0.shares() }
    dispatcher.learned(shares, at: now)
    pauses = shares.pauses
    nextPauseEnd = pauses.values.compactMap(\.until).min()
    mostUnusualBatches = max(1_000, 2 * dispatcher.unusualBatches)
    hasNewJobs = true
  }
}
