import Pipeline
import Scheduling

/// What users want of batches, of hosts and of the fleet as a whole: terms and pauses. The ledger keeps them.
extension Aggregator {
  /// Hosts that may be paused at a time.
  private static let mostPausedHosts = 10_000

  func take(_ query: Query, _ scope: PauseScope, isPaused: Bool, _ transaction: inout Transaction) {
    if isPaused, case .host(let host) = scope, dispatcher.pausedHosts.count >= Self.mostPausedHosts,
      !dispatcher.pausedHosts.contains(host)
    {
      return said(query, scope, isPaused: false, wasChanged: false)
    }
    transaction.add(query, pausing: scope, isPaused)
  }

  /// The ledger has it. No job starts before the next turn, which takes it over.
  func said(_ query: Query, _ scope: PauseScope, isPaused: Bool, wasChanged: Bool) {
    sharesAreStale = sharesAreStale || wasChanged
    hasNewJobs = true
    let answer = Answer.pausing(scope, isPaused: isPaused, wasChanged: wasChanged, to: query.id)
    answered.keep(answer, to: query)
    connections.add(.answer(answer), to: query.replyTo)
  }

  /// Takes over what the ledger knows of pauses and terms. A run that has the aggregator for itself goes by none.
  func learnShares(at now: Moment) async throws {
    guard settings.onlyBatch == nil, sharesAreStale || dispatcher.unusualBatches > mostUnusualBatches else {
      return
    }
    sharesAreStale = false
    dispatcher.learned(try await read { try await $0.shares() }, at: now)
    mostUnusualBatches = max(1_000, 2 * dispatcher.unusualBatches)
    hasNewJobs = true
  }
}
