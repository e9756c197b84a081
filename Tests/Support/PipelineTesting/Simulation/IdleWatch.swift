import Pipeline
import Posix
import Roles

/// Sees whether a fetcher has room while a job could run by every rule: that lasts for a turn of the aggregator's loop,
/// and no longer.
final class IdleWatch: Sendable {
  private struct Sight {
    var turn: UInt64
    var at: Moment
  }

  private struct State {
    var process = ""
    var sights: [JobID: Sight] = [:]
  }

  /// Turns that may pass before a job in memory is given out, and one that has to be read from the ledger first.
  private static let mostTurns: (inMemory: UInt64, inLedger: UInt64) = (1, 8)
  /// An aggregator that does nothing for so long beside a job that could run was not about to.
  private static let longestSleepMilliseconds: Int64 = 300

  private let state = Lock(State())
  private let trace: SimulatedTrace
  /// Not where the ledger, or being stopped, keeps the aggregator from its next turn.
  private let watchesSleep: Bool

  init(_ scenario: SimulationScenario, trace: SimulatedTrace) {
    self.trace = trace
    watchesSleep =
      !scenario.ledger.mayHoldUp && scenario.stops.upperBound == 0
      && scenario.takeovers.upperBound == 0
  }

  /// - Parameter ready: What the ledger says.
  func look(
    at aggregator: Aggregator, of process: SimulatedProcess,
    ready: @escaping @Sendable () async -> [LedgerJob]
  ) async {
    let idle = await aggregator.idleJobs(among: await ready())
    guard process.isAlive else { return }
    let isNew = note(idle, of: process)
    guard isNew, watchesSleep else { return }
    process.schedule(afterMilliseconds: Self.longestSleepMilliseconds) {
      Task(executorPreference: process.loop) { await self.look(at: aggregator, of: process, ready: ready) }
    }
  }

  /// - Returns: Whether there is something that was not there before.
  private func note(_ idle: Aggregator.IdleJobs, of process: SimulatedProcess) -> Bool {
    let now = process.loop.now
    let (before, isNew) = state.withLock { state in
      let before = state.process == process.name ? state.sights : [:]
      state.process = process.name
      state.sights = [:]
      for job in idle.inMemory + idle.inLedger {
        state.sights[job] = before[job] ?? Sight(turn: idle.turn, at: now)
      }
      return (before, state.sights.keys.contains { before[$0] == nil })
    }
    for (jobs, most) in [(idle.inMemory, Self.mostTurns.inMemory), (idle.inLedger, Self.mostTurns.inLedger)] {
      for job in jobs {
        guard let sight = before[job] else { continue }
        if idle.turn > sight.turn + most {
          trace.complain("\(job) could run for \(idle.turn - sight.turn) turns, while a fetcher had room")
        } else if watchesSleep, idle.turn == sight.turn,
          now.milliseconds(since: sight.at) >= Self.longestSleepMilliseconds
        {
          trace.complain("\(process.name) sleeps, and \(job) could run while a fetcher has room")
        }
      }
    }
    return isNew
  }
}

extension Aggregator {
  /// Jobs that no rule keeps from being given out, while a fetcher has room for one.
  fileprivate struct IdleJobs: Sendable {
    /// Turns of the loop so far.
    var turn: UInt64
    var inMemory: [JobID] = []
    /// Those that have to be read first.
    var inLedger: [JobID] = []
  }

  /// - Parameter ready: What the ledger says.
  fileprivate func idleJobs(among ready: [LedgerJob]) -> IdleJobs {
    var idle = IdleJobs(turn: turns)
    guard dispatcher.hasFreeCredit else { return idle }
    let now = ports.clock.now
    for open in ready where isOurs(open) && interruptions[open.job.batch] == nil {
      guard dispatcher.mayStart(open, at: now) else { continue }
      if dispatcher.jobs[open.job.id] == nil {
        idle.inLedger.append(open.job.id)
      } else {
        idle.inMemory.append(open.job.id)
      }
    }
    return idle
  }
}
