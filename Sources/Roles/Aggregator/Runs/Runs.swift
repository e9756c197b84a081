import Pipeline

/// The runs that are under way, by their own job and by their calls' jobs.
struct Runs: Sendable {
  private var running: [JobID: RunningRecipe] = [:]
  private var roots: [BatchID: JobID] = [:]
  /// Which job of a run's calls is which; those that are over are not there.
  private var callers: [JobID: (root: JobID, ordinal: UInt64)] = [:]
  private var deadlines = MinHeap<Moment, JobID>()
  /// There may be runs in the ledger that were not begun here.
  var mayWait = true

  var isEmpty: Bool { running.isEmpty }

  var leakCounts: [String: Int] { ["runs": max(running.count, roots.count), "calls": callers.count] }

  subscript(root: JobID) -> RunningRecipe? { running[root] }

  func isCall(_ job: JobID) -> Bool { callers[job] != nil }

  func ownsBatch(_ batch: BatchID) -> Bool { roots[batch] != nil }

  /// The newest, the newest first.
  func newest(_ limit: Int) -> [RunningRecipe] {
    running.keys.sorted(by: >).prefix(limit).compactMap { running[$0] }
  }

  var nextDeadline: Moment? { deadlines.first?.key }

  mutating func overdue(at now: Moment) -> [RunningRecipe] {
    var overdue: [RunningRecipe] = []
    while let first = deadlines.first, first.key <= now {
      _ = deadlines.popFirst()
      if let run = running[first.value], run.job.deadline == first.key { overdue.append(run) }
    }
    return overdue
  }

  mutating func insert(_ run: RunningRecipe) {
    running[run.job.id] = run
    roots[run.calls] = run.job.id
    for job in run.openCalls { callers[job.id] = (run.job.id, job.ordinal) }
    guard let deadline = run.job.deadline else { return }
    if deadlines.count > 2 * running.count + 64 { deadlines.removeAll { running[$0] == nil } }
    deadlines.insert(run.job.id, at: deadline)
  }

  /// - Returns: What is left of it.
  mutating func remove(_ root: JobID) -> RunningRecipe? {
    guard let run = running.removeValue(forKey: root) else { return nil }
    roots[run.calls] = nil
    for job in run.openCalls { callers[job.id] = nil }
    return run
  }

  /// A call came to its end; nil when it is not one of a run, or its run no longer needs it.
  mutating func ended(_ settlement: Settlement) -> (root: JobID, consequence: RunningRecipe.Consequence)? {
    guard let (root, ordinal) = callers.removeValue(forKey: settlement.job), var run = running[root] else {
      return nil
    }
    running[root] = nil
    let consequence = run.ended(ordinal, settlement.failure, row: settlement.row)
    running[root] = run
    for job in consequence.calls { callers[job.id] = (root, job.ordinal) }
    for (job, _) in consequence.forgotten { callers[job.id] = nil }
    return (root, consequence)
  }
}
