import Pipeline
import Recipes

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
