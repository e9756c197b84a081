import JSONQuery
import Pipeline
import Roles

// What must hold of runs and of their calls.
extension SimulationChecks {
  private struct LeftOut {
    var ordinal: Int
    var kind: String
    var message: String
  }

  /// Its row has what its calls answer, in the order of its list, or says which of them did not.
  mutating func checkEnd(of run: SimulatedRun, _ row: NumberedRow, _ read: Row) {
    if run.policy == .first { return checkFirst(of: run, row, read) }
    let fails = run.links.contains(.absent)
    if let failure = row.failure {
      let isWanted = run.policy == .all && fails && failure == .httpStatus
      guard !isWanted, !isExcused(failure.rawValue, read["error.message"] ?? "", run) else { return }
      return problems.append("\(run.draft.input ?? "") ended so: \(read)")
    }
    let leftOut = Self.leftOut(read["steps.each.left_out"])
    if run.policy == .all, fails || !leftOut.isEmpty {
      problems.append("\(run.draft.input ?? "") does not tell that a call failed: \(read)")
    }
    checkValue(of: run, read, without: Set(leftOut.map(\.ordinal)))
    for call in leftOut where run.links[call.ordinal] != .absent {
      guard !isExcused(call.kind, call.message, run) else { continue }
      problems.append("\(run.draft.input ?? "") leaves out number \(call.ordinal): \(read)")
    }
  }

  /// One of the values is enough, whichever it is.
  private mutating func checkFirst(of run: SimulatedRun, _ row: NumberedRow, _ read: Row) {
    let values = run.values.compactMap(\.self)
    let name = run.draft.input ?? ""
    guard let failure = row.failure else {
      if !values.contains(where: { "\($0)" == read["value"] }) {
        problems.append("\(name) has none of \(values): \(read)")
      }
      return
    }
    if values.isEmpty, failure == (run.links.isEmpty ? .noData : .httpStatus) { return }
    // The first of the failures is told, whatever became of the others.
    let isTold = failure == .httpStatus && run.links.contains(.absent)
    let mayFail = plan.runs.values.contains { $0.links.contains(.wobbly) } || crashes(of: run) > 0
    if isTold, mayFail || plan.producer.deadlineMilliseconds != nil { return }
    guard !isExcused(failure.rawValue, read["error.message"] ?? "", run) else { return }
    problems.append("\(name) ended so: \(read)")
  }

  private mutating func checkValue(of run: SimulatedRun, _ read: Row, without leftOut: Set<Int>) {
    let missing = run.values.indices.filter { run.values[$0] == nil && !leftOut.contains($0) }
    let expected = run.values.indices.compactMap { leftOut.contains($0) ? nil : run.values[$0] }
    let found = (read["value"] ?? "").dropFirst().dropLast().split(separator: ",").map { Int($0) ?? -1 }
    let isRight = run.isInSourceOrder ? found == expected : found.sorted() == expected
    guard missing.isEmpty, isRight else {
      return problems.append("\(run.draft.input ?? "") has not \(expected): \(read)")
    }
  }

  private static func leftOut(_ text: String?) -> [LeftOut] {
    guard let text, let root = try? JSONDocument(parsing: Array(text.utf8), limits: .around).root else {
      return []
    }
    return root.elements.map { call in
      LeftOut(
        ordinal: Int(call["ordinal"]?.int64 ?? -1), kind: call["error"]?["kind"]?.string ?? "",
        message: call["error"]?["message"]?.string ?? "")
    }
  }

  /// Workers that died around it can take the attempts that a call would have needed, and time is up when it is up.
  private func isExcused(_ kind: String, _ message: String, _ run: SimulatedRun) -> Bool {
    if kind == FailureKind.deadline.rawValue { return plan.producer.deadlineMilliseconds != nil }
    if message.contains("given up until") { return true }
    let crashes = crashes(of: run)
    if kind == FailureKind.poisoned.rawValue {
      return crashes >= JobLife.crashesUntilPoisoned - 1 && mayBlameInnocents
    }
    return kind == FailureKind.connect.rawValue && run.links.contains(.wobbly) && crashes > 0
  }

  private func crashes(of run: SimulatedRun) -> Int {
    let addresses = Set(run.addresses)
    return fleet.book.calls.jobs.values.reduce(0) { sum, call in
      addresses.contains(call.input ?? "") ? sum + fleet.book[call.id].crashes : sum
    }
  }

  /// Calls are made for runs that are not over, each once, and nothing is left of them.
  mutating func checkCalls() {
    let calls = fleet.book.calls
    var made: [BatchID: [Job]] = [:]
    for call in calls.jobs.values { made[call.batch, default: []].append(call) }
    for (id, run) in plan.runs.sorted(by: { $0.key < $1.key }) {
      let jobs = made.removeValue(forKey: .calls(of: id, life: 0)) ?? []
      let name = run.draft.input ?? ""
      let inputs = jobs.compactMap(\.input)
      if Set(inputs).count < inputs.count {
        problems.append("\(name) makes a call twice: \(inputs.sorted())")
      }
      let foreign = Set(inputs).subtracting(run.addresses)
      if !foreign.isEmpty { problems.append("\(name) calls \(foreign.sorted())") }
      let end = calls.ended[id] ?? .max
      for job in jobs where calls.lastBegun[job.id] ?? 0 > end {
        problems.append("call \(job.ordinal) of \(name) is made when that is over")
      }
      checkClosing(of: id, name, calls: UInt64(jobs.count))
    }
    if !made.isEmpty { problems.append("there are calls of no run: \(made.keys.sorted())") }
    let letters = inspection.deadLetters.filter { calls.jobs[$0] != nil }
    if !letters.isEmpty { problems.append("\(letters.count) calls are dead letters") }
  }

  private mutating func checkClosing(of id: JobID, _ name: String, calls: UInt64) {
    guard let progress = inspection.calls[id] else {
      if calls > 0 { problems.append("the calls of \(name) are unknown") }
      return
    }
    if !progress.isComplete || progress.settled != calls {
      problems.append("\(name) made \(calls) calls, and of them is known: \(progress)")
    }
  }
}
