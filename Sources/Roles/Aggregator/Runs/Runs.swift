import JSONQuery
import Pipeline
import Recipes

/// The runs that are under way, by their own job and by their calls' jobs.
struct Runs: Sendable {
  private var running: [JobID: RunningRecipe] = [:]
  private var roots: [BatchID: JobID] = [:]
  private var deadlines = MinHeap<Moment, JobID>()
  /// There may be runs in the ledger that were not begun here.
  var mayWait = true

  var isEmpty: Bool { running.isEmpty }

  private var openCalls: Int { running.values.reduce(0) { $0 + $1.openCalls.count } }

  var leakCounts: [String: Int] { ["runs": max(running.count, roots.count), "calls": openCalls] }

  subscript(root: JobID) -> RunningRecipe? { running[root] }

  /// A run waits for it.
  func isCall(_ job: Job) -> Bool {
    roots[job.batch].flatMap { running[$0] }?.waits(for: job.id) ?? false
  }

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
    guard let deadline = run.job.deadline else { return }
    if deadlines.count > 2 * running.count + 64 { deadlines.removeAll { running[$0] == nil } }
    deadlines.insert(run.job.id, at: deadline)
  }

  /// - Returns: What is left of it.
  mutating func remove(_ root: JobID) -> RunningRecipe? {
    guard let run = running.removeValue(forKey: root) else { return nil }
    roots[run.calls] = nil
    return run
  }

  /// A call came to its end; nil when it is not one of a run, or its run no longer needs it.
  mutating func ended(_ settlement: Settlement) -> (root: JobID, consequence: RunningRecipe.Consequence)? {
    guard let root = roots[settlement.batch], var run = running[root], run.waits(for: settlement.job) else {
      return nil
    }
    running[root] = nil
    let consequence = run.ended(settlement.ordinal, settlement.failure, row: settlement.row)
    running[root] = run
    return (root, consequence)
  }
}

/// A run under way, and which of its jobs is which call.
///
/// Calls get their places in the order in which the recipe makes them, and the recipe makes the same ones when it is told
/// the same answers in the same order: so a run is found again from its job and the rows of its calls.
struct RunningRecipe: Sendable {
  /// What follows from what has happened.
  struct Consequence: Sendable {
    var calls: [Job] = []
    /// Calls that are no longer needed, and why: nil when another one was enough.
    var forgotten: [(job: Job, because: RecipeFailure?)] = []
    var outcome: RecipeOutcome?
  }

  let job: Job
  let calls: BatchID
  /// Which of its lives this is, counted from 1.
  let attempts: UInt16
  /// By this aggregator.
  let begunAt: Moment
  private let recipe: Recipe
  /// How the calls of each step are read.
  private let readings: [String]
  private var run: RecipeRun
  private var open: [UInt64: (call: CallID, job: Job)] = [:]
  private var places: [CallID: UInt64] = [:]
  /// Calls that were ever made.
  private(set) var made: UInt64 = 0

  /// - Parameter life: How often it was requeued.
  init(_ job: Job, life: UInt16, at now: Moment) throws(Failure) {
    self.job = job
    attempts = life.saturating(plus: 1)
    begunAt = now
    calls = BatchID.calls(of: job.id, life: Int(life))
    recipe = try Recipe(of: job)
    do {
      let run = try RecipeRun(recipe, with: RecipeArguments(job.reading.parameters, for: recipe))
      readings = recipe.steps.indices.map { run.reading(of: $0).text }
      self.run = run
    } catch let error as RecipeArgumentError {
      throw Failure(.invalidInput, at: .input, "run \(job.input ?? ""): \(error.message)")
    } catch let error as RecipeFailure {
      throw Failure(error)
    } catch {
      throw Failure(.underlying, at: .input, "run \(job.input ?? ""): \(error)")
    }
  }

  var stepStates: [StepState] { run.stepStates }

  func waits(for call: JobID) -> Bool { open[call.ordinalBits]?.job.id == call }

  /// Calls that are not over, in the order in which they were made.
  var openCalls: [Job] { open.keys.sorted().compactMap { open[$0]?.job } }

  mutating func started() -> Consequence { follow(run.started()) }

  /// A call came to its end. One that is no longer needed changes nothing.
  mutating func ended(_ ordinal: UInt64, _ failure: FailureKind?, row: [UInt8]) -> Consequence {
    guard let call = open.removeValue(forKey: ordinal)?.call else { return Consequence() }
    places[call] = nil
    if let failure { return follow(run.callFailed(call, RecipeFailure(row: row, failure))) }
    guard let answer = CallAnswer(row: row) else {
      let failure = RecipeFailure(
        kind: FailureKind.dataParsingFailed.rawValue, "the row of a call has no value")
      return follow(run.callFailed(call, failure))
    }
    return follow(run.callAnswered(call, answer))
  }

  private mutating func follow(_ orders: [RecipeOrder]) -> Consequence {
    var consequence = Consequence()
    for order in orders {
      switch order {
      case .call(let call, let url): consequence.calls.append(make(call, url))
      case .forget(let call, let cause):
        guard let place = places.removeValue(forKey: call), let job = open.removeValue(forKey: place)?.job
        else {
          continue
        }
        consequence.forgotten.append((job, cause))
      case .end(let outcome): consequence.outcome = outcome
      }
    }
    return consequence
  }

  /// It has no deadline of its own: with the run's all of its calls end, and that may be put off while they wait.
  private mutating func make(_ call: CallID, _ url: String) -> Job {
    var job = Job(batch: calls, ordinal: made, kind: .decode, input: url)
    job.reading.call = readings[call.step]
    (job.reading.headers, job.reading.language) = (self.job.reading.headers, self.job.reading.language)
    job.ref = recipe.steps[call.step].name
    // Its link has values of pages in it.
    job = job.bounded
    open[made] = (call, job)
    places[call] = made
    made += 1
    return job
  }
}

extension Recipe {
  init(of job: Job) throws(Failure) {
    do {
      try self.init(parsing: Array((job.reading.recipe ?? "").utf8))
    } catch {
      let problem = error.problems.first
      throw Failure(
        .invalidInput, at: .input,
        "run \(job.input ?? ""): line \(problem?.line ?? 1): \(problem?.message ?? "no recipe"); look at it with halyard run --check"
      )
    }
  }
}

/// What a run's row says beyond every row: the gathered value, and how each step ended.
enum RunRow {
  static func members(_ outcome: RecipeOutcome) -> [UInt8] {
    var row = JSONWriter()
    if let value = outcome.value {
      row.key("value")
      row.value(value)
    }
    row.beginObject("steps")
    for step in outcome.steps {
      row.key(step.name)
      write(step, to: &row)
    }
    row.endObject()
    return row.bytes
  }

  private static func write(_ step: RecipeOutcome.Step, to row: inout JSONWriter) {
    row.beginObject()
    switch step.ending {
    case .done: row.member("status", "ok")
    case .skipped: row.member("status", "skipped")
    case .failed(let failure):
      row.member("status", "failed")
      write(failure, to: &row)
    case .cancelled(let cause):
      row.member("status", "cancelled")
      row.member("because", cause)
    }
    if !step.leftOut.isEmpty {
      row.objects("left_out", of: step.leftOut) { row, call in
        row.member("ordinal", call.ordinal)
        write(call.failure, to: &row)
      }
    }
    row.member("notes", step.notes)
    row.endObject()
  }

  private static func write(_ failure: RecipeFailure, to row: inout JSONWriter) {
    row.beginObject("error")
    row.member("kind", failure.kind)
    row.member("message", failure.message)
    row.endObject()
  }
}
