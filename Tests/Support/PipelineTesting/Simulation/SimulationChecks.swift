import Pipeline
import Roles

/// What must hold when a simulation is over.
struct SimulationChecks {
  var problems: [String] = []
  /// Jobs that ended as poisoned and are not: workers died around them by chance.
  var blamed = 0
  let plan: SimulationPlan
  let fleet: SimulatedFleet
  let inspection: SimulationInspection

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
    checkCalls()
    checkCancelling()
    problems += fleet.book.sharedGrants.problems
    checkRequests()
    checkBlame()
    checkManners()
    if problems.isEmpty { checkMemory() }
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
    // What is under way then is not tried again when it fails.
    if row.failure == .cancelled || read["error.retryable"] == "true",
      fleet.book.lateGrants.isCancelled(plan.batch)
    {
      return
    }
    if entry.link == .turning, row.failure == nil, read["url"] != SimulatedLink.end(of: entry.draft.input) {
      problems.append("job \(row.ordinal) did not get where its pages led: \(read)")
    }
    if entry.draft.reading.wantsEmbed, row.failure == nil, !hasEmbed(read, of: entry) {
      problems.append("job \(row.ordinal) does not tell what its endpoint says: \(read)")
    }
    if let run = entry.run { return checkEnd(of: run, row, read) }
    let wanted = SimulatedJobs.end(of: entry.link)
    guard row.failure != wanted else { return }
    if row.failure == .deadline, plan.producer.deadlineMilliseconds != nil { return }
    // Links that are down give their host a bad name.
    if read["error.message"]?.contains("given up until") == true { return }
    let crashes = crashes(of: entry.draft.input)
    if row.failure == .poisoned, crashes >= JobLife.crashesUntilPoisoned - 1, mayBlameInnocents {
      blamed += 1
    } else if entry.link == .flaky, row.failure == .connect, crashes > 0 {
      // Workers that died took the attempts that it would have needed.
      return
    } else {
      problems.append("job \(row.ordinal), \(entry.draft.input ?? ""), ended so: \(read)")
    }
  }

  /// It has the endpoint's answer, unless there was no time for it.
  private func hasEmbed(_ row: Row, of entry: SimulatedJobs.Entry) -> Bool {
    if row["card.embed_error.kind"] == "deadline" { return plan.producer.deadlineMilliseconds != nil }
    // As a job itself could be, whose workers died three times while they were on it.
    if row["card.embed_error.kind"] == "poisoned" { return mayBlameInnocents }
    return row["card.author"] == SimulatedLink.end(of: entry.draft.input).map(SimulatedLink.endpoint)
  }

  var mayBlameInnocents: Bool { plan.scenario.losesWorkersForGood }

  /// No job is blamed where no worker was lost.
  private mutating func checkBlame() {
    let scenario = plan.scenario
    guard !scenario.losesWorkers, scenario.poisonous == 0, scenario.venomous == 0 else { return }
    let crashes = fleet.book.total.crashes
    if crashes > 0 { problems.append("\(crashes) jobs were blamed although no worker was lost") }
  }

  /// No host is ever asked for more at once than allowed, wherever redirects lead, nor more often.
  private mutating func checkManners() {
    guard plan.scenario.keepsManners else { return }
    let paces = plan.aggregator.hostPaces
    for (host, most) in fleet.web.load.most.sorted(by: { $0.key < $1.key }) {
      let allowed = paces.pace(host: host).atOnce
      if most > allowed {
        problems.append("\(host) was asked for \(most) at once, with \(allowed) allowed")
      }
    }
    for (host, starts) in fleet.web.load.starts.sorted(by: { $0.key < $1.key }) {
      let delay = paces.pace(host: host).delayMilliseconds
      guard let hurry = Self.hurry(starts.sorted(), delay) else { continue }
      problems.append("\(host) was asked \(hurry) times too soon, with a pause of \(delay) ms")
    }
  }

  /// A message can be lost and come again, so that a request is late by as much; only more than that is wrong.
  private static let mostLate: Int64 = 7_000

  private static func hurry(_ starts: [Moment], _ delay: Int64) -> Int? {
    for first in starts.indices {
      for last in starts[first...].indices.dropFirst() {
        let took = starts[last].milliseconds(since: starts[first])
        if took + mostLate < Int64(last - first) * delay { return last - first }
      }
    }
    return nil
  }

  /// Workers that died on the jobs that ask for a link, by the ledger.
  private func crashes(of input: String?) -> Int {
    plan.jobs.entries.enumerated().reduce(0) { sum, entry in
      guard entry.element.draft.input == input else { return sum }
      return sum + fleet.book[JobID(batch: plan.batch, ordinal: UInt64(entry.offset))].crashes
    }
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

  /// Nothing of a batch begins that is cancelled, whatever becomes of the aggregator that said so.
  private mutating func checkCancelling() {
    let runs = plan.runs.keys.sorted()
    let calls = Dictionary(grouping: fleet.book.calls.jobs.values, by: \.batch).mapValues { $0.map(\.id) }
    let jobs = plan.jobs.entries.indices.map { JobID(batch: plan.batch, ordinal: UInt64($0)) }
    let ofRuns = runs.flatMap { calls[.calls(of: $0, life: 0)] ?? [] }
    for job in fleet.book.lateGrants.late(jobs + ofRuns.sorted(), afterCancelOf: plan.batch) {
      problems.append("\(job) was given out when its batch was cancelled")
    }
  }

  /// No link is asked for more often than there were leases on the jobs that ask for it.
  private mutating func checkRequests() {
    // A job that comes twice under one lease is done twice.
    guard plan.scenario.weather.doubleRate == 0 else { return }
    var leases: [String: Int] = [:]
    for (ordinal, entry) in plan.jobs.entries.enumerated() {
      guard let input = entry.draft.input else { continue }
      leases[input, default: 0] += fleet.leases(on: JobID(batch: plan.batch, ordinal: UInt64(ordinal)))
    }
    for call in fleet.book.calls.jobs.values {
      leases[call.input ?? "", default: 0] += fleet.leases(on: call.id)
    }
    for (input, leases) in leases.sorted(by: { $0.key < $1.key }) {
      let requests = fleet.web.requests(for: input)
      if requests > leases {
        problems.append("\(input) was asked for \(requests) times under \(leases) leases")
      }
    }
  }

  /// No role keeps anything of a job that is over.
  private mutating func checkMemory() {
    for (worker, tokens) in fleet.held.sorted(by: { $0.key < $1.key }) where !tokens.isEmpty {
      problems.append("\(worker) still holds leases \(tokens.map(\.value).sorted())")
    }
    for (what, count) in inspection.leakCounts.sorted(by: { $0.key < $1.key }) where count > 0 {
      problems.append("the aggregator still keeps \(count) \(what)")
    }
  }
}
