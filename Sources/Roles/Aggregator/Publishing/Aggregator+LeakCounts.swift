package import Pipeline
import Scheduling

/// What a test looks at to find what is never let go.
extension Aggregator {
  /// How much it keeps of jobs and of those who work on them, by name; all of it is 0 when nothing is open.
  package var leakCounts: [String: Int] {
    dispatcher.leakCounts.merging(registry.leakCounts) { $1 }.merging(runs.leakCounts) { $1 }
  }

  /// Jobs that no rule keeps from being given out, while a fetcher has room for one.
  package struct IdleJobs: Sendable {
    /// Turns of the loop so far.
    package var turn: UInt64
    package var inMemory: [JobID] = []
    /// Those that have to be read first.
    package var inLedger: [JobID] = []
  }

  /// - Parameter ready: What the ledger says.
  package func idleJobs(among ready: [OpenJob]) -> IdleJobs {
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
