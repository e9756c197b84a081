import Pipeline
import Roles

/// What must hold when a simulation is over.
struct SimulationChecks {
  private(set) var problems: [String] = []
  private let plan: SimulationPlan
  private let fleet: SimulatedFleet
  private let inspection: SimulationInspection

  init(
    _ ending: SimulatedLoop.Ending, _ plan: SimulationPlan, _ fleet: SimulatedFleet,
    _ inspection: SimulationInspection
  ) {
    self.plan = plan
    self.fleet = fleet
    self.inspection = inspection
    problems += fleet.trace.complaints
    checkEnding(ending)
    checkRows()
    checkLedger()
    checkRequests()
  }

  private mutating func checkEnding(_ ending: SimulatedLoop.Ending) {
    switch ending {
    case .finished: break
    case .nothingLeftToDo, .outOfTime, .spinning:
      problems.append("the producer never ended: \(ending.rawValue)")
    }
  }

  /// Exactly one row for each job, with the outcome that its link leads to.
  private mutating func checkRows() {
    let expected = plan.jobs.entries
    let ordinals = fleet.rows.map(\.ordinal)
    if ordinals.count != Set(ordinals).count { problems.append("rows came twice: \(ordinals)") }
    let missing = Set(expected.indices.map(UInt64.init)).subtracting(ordinals)
    if !missing.isEmpty { problems.append("rows are missing: \(missing.sorted())") }
    if plan.producer.isOrdered, ordinals != ordinals.sorted() { problems.append("rows are out of order") }
    for row in fleet.rows where row.ordinal < UInt64(expected.count) {
      check(row, of: expected[Int(row.ordinal)])
    }
  }

  private mutating func check(_ row: NumberedRow, of entry: SimulatedJobs.Entry) {
    guard let read = try? Row(row) else {
      return problems.append("row \(row.number) cannot be read")
    }
    let id = JobID(batch: plan.batch, ordinal: row.ordinal)
    if read["ref"] != entry.draft.ref || read["id"] != id.description {
      problems.append("row of job \(row.ordinal) is another's: \(read)")
    }
    guard !allowedEnds(of: entry).contains(row.failure) else { return }
    problems.append("job \(row.ordinal), \(entry.draft.input ?? ""), ended so: \(read)")
  }

  /// A worker that is lost costs an attempt, and three cost the job its life, unless they died of something else.
  private func allowedEnds(of entry: SimulatedJobs.Entry) -> Set<FailureKind?> {
    var allowed: Set<FailureKind?> = [SimulatedJobs.end(of: entry.link)]
    guard plan.scenario.losesWorkers || plan.scenario.poisonous > 0 else { return allowed }
    if entry.link == .flaky { allowed.insert(.connect) }
    if plan.scenario.losesWorkers { allowed.insert(.poisoned) }
    return allowed
  }

  private mutating func checkLedger() {
    for open in inspection.openJobs {
      problems.append("job \(open.job.ordinal) is not over in the ledger: \(open.life.state)")
    }
    let stored = inspection.storedRows.map(\.ordinal)
    if stored.count != plan.jobs.entries.count || Set(stored).count != stored.count {
      problems.append("the ledger has \(stored.count) rows, \(Set(stored).count) different ones")
    }
  }

  /// No link is asked for more often than there were leases on the jobs that ask for it.
  private mutating func checkRequests() {
    var grants: [String: Int] = [:]
    for (ordinal, entry) in plan.jobs.entries.enumerated() {
      guard let input = entry.draft.input else { continue }
      grants[input, default: 0] += fleet.book[JobID(batch: plan.batch, ordinal: UInt64(ordinal))].grants
    }
    for (input, grants) in grants.sorted(by: { $0.key < $1.key }) {
      let requests = fleet.web.requests(for: input)
      if requests > grants {
        problems.append("\(input) was asked for \(requests) times under \(grants) leases")
      }
    }
  }
}
