import Pipeline
import Roles

/// What is found in ledger and aggregator when all is over.
struct SimulationInspection: Sendable {
  var openJobs: [LedgerJob] = []
  var storedRows: [NumberedRow] = []
  var deadLetters: [JobID] = []
  /// Of the calls of each run; nil when it made none.
  var calls: [JobID: BatchProgress] = [:]
  /// What the aggregator keeps, by name.
  var leakCounts: [String: Int] = [:]

  init() {}

  init(of fleet: SimulatedFleet) async {
    openJobs = await fleet.openJobs()
    storedRows = await fleet.storedRows()
    deadLetters = await fleet.deadLetters()
    for run in fleet.plan.runs.keys { calls[run] = await fleet.progress(of: .calls(of: run, life: 0)) }
    leakCounts = await fleet.currentAggregator?.leakCounts ?? [:]
  }
}

/// How a simulation ended, and everything that is wrong with that.
package struct SimulationReport: Sendable {
  package let seed: UInt64
  package let scenario: String
  package let problems: [String]
  package let jobs: Int
  /// Attempts that were made in all, and how many of them had been made before without an outcome.
  package let attempts: Int
  package let repeated: Int
  package let crashes: Int
  /// Aggregators that ended because another one had taken over.
  package let fenced: Int
  /// Jobs that were taken for poisonous because workers died around them by chance.
  package let blamed: Int
  /// The same for the same run.
  package let fingerprint: UInt64
  /// The last lines of the trace, when something is wrong; all of it, when that was wanted.
  package let traceEnd: String

  init(
    seed: UInt64, _ ending: SimulatedLoop.Ending, _ plan: SimulationPlan, _ fleet: SimulatedFleet,
    _ inspection: SimulationInspection, _ trace: SimulatedTrace,
    showsAll: Bool
  ) {
    self.seed = seed
    scenario = plan.scenario.name
    jobs = plan.jobs.entries.count
    let total = fleet.book.total
    attempts = total.grants
    repeated = total.returns + total.crashes
    (crashes, fenced) = (fleet.deaths, fleet.fenced)
    fingerprint = trace.fingerprint
    let checks = SimulationChecks(ending, plan, fleet, inspection)
    problems = checks.problems
    blamed = checks.blamed
    traceEnd = problems.isEmpty && !showsAll ? "" : trace.end
  }

  /// Why it failed and how to see it again.
  package var description: String {
    """
    seed \(seed), scenario '\(scenario)':
    \(problems.map { "  \($0)" }.joined(separator: "\n"))
    the end of its trace, in milliseconds:
    \(traceEnd)
    run it again: HALYARD_SEEDS=\(seed)-\(seed) scripts/test --filter SimulationTests
    """
  }
}
