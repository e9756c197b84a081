package import JSONQuery

/// One run of a recipe: events in, orders out. It does no I/O and has no clock.
///
/// The same events in the same order give the same orders, so that a run can be told again from what is stored.
package struct RecipeRun: Sendable {
  let recipe: Recipe
  private var context: ValueContext
  private(set) var progress: StepProgress
  private(set) var runs: [StepRun?]
  private(set) var endings: [RecipeOutcome.Ending?]
  /// What the calls and the outputs of all steps may take.
  private let room: RunRoom
  /// Bytes that steps without their condition hand on.
  private var handedOn = 0
  private var isOver = false

  /// Begins with nothing done.
  package init(_ recipe: Recipe, with arguments: RecipeArguments) throws(RecipeFailure) {
    try self.init(recipe, with: arguments, in: RunRoom())
  }

  init(_ recipe: Recipe, with arguments: RecipeArguments, in room: RunRoom) throws(RecipeFailure) {
    self.recipe = recipe
    self.room = room
    context = ValueContext(
      parameters: arguments.values, sections: try .array(of: recipe.sections.map(\.value)),
      outputs: Array(repeating: nil, count: recipe.steps.count))
    progress = StepProgress(recipe.steps.map(\.dependencies))
    runs = Array(repeating: nil, count: recipe.steps.count)
    endings = Array(repeating: nil, count: recipe.steps.count)
  }

  func home(of step: Int) -> String? {
    recipe.steps[step].home(context.parameters)
      ?? recipe.steps.lazy.compactMap { $0.home(context.parameters) }.first
  }

  package mutating func started() -> [RecipeOrder] { advance() }

  /// A call ended well. One that is no longer needed changes nothing.
  package mutating func callAnswered(_ call: CallID, _ answer: CallAnswer) -> [RecipeOrder] {
    callEnded(call, .success(answer))
  }

  /// A call failed for good. One that is no longer needed changes nothing.
  package mutating func callFailed(_ call: CallID, _ failure: RecipeFailure) -> [RecipeOrder] {
    callEnded(call, .failure(failure))
  }

  private mutating func callEnded(_ call: CallID, _ result: Result<CallAnswer, RecipeFailure>)
    -> [RecipeOrder]
  {
    guard runs.indices.contains(call.step), progress.states[call.step] == .running else { return [] }
    let room = room(of: call.step)
    var orders = runs[call.step]?.callEnded(call, result, room: room) ?? []
    if let ending = runs[call.step]?.ending { orders += settle(call.step, ending) + advance() }
    return orders
  }

  /// What a step may take beside the others.
  private func room(of step: Int) -> RunRoom {
    var left = room
    left.bytes -= handedOn
    for other in runs.indices where other != step {
      left.calls -= runs[other]?.called ?? 0
      left.bytes -= runs[other]?.heldBytes ?? 0
    }
    return left
  }

  /// Starts what can start until nothing can, and ends the run when all is over.
  private mutating func advance() -> [RecipeOrder] {
    var orders: [RecipeOrder] = []
    var steps = progress.startable()
    while !steps.isEmpty {
      for step in steps { orders += start(step) }
      steps = progress.startable()
    }
    if progress.isOver, !isOver {
      isOver = true
      orders.append(.end(outcome()))
    }
    return orders
  }

  private mutating func start(_ index: Int) -> [RecipeOrder] {
    let step = recipe.steps[index]
    do throws(RecipeFailure) {
      if let name = step.condition, context.parameters[name] != .boolean(true) {
        let (output, bytes) = try step.handedOn(in: context)
        guard bytes <= room(of: index).bytes else {
          throw .tooLarge("what is handed on takes more than \(RecipeLimits.bytesOfRun >> 20) MiB")
        }
        handedOn += bytes
        context.outputs[index] = output
        endings[index] = .skipped
        progress.stepSucceeded(index)
        return []
      }
      var run = try StepRun(step, at: index, context, room: room(of: index))
      let orders = run.started()
      runs[index] = run
      guard let ending = run.ending else { return orders }
      return orders + settle(index, ending)
    } catch {
      return settle(index, .failure(error))
    }
  }

  private mutating func settle(_ index: Int, _ ending: Result<JSONValue, RecipeFailure>) -> [RecipeOrder] {
    switch ending {
    case .success(let output):
      context.outputs[index] = output
      endings[index] = .done
      progress.stepSucceeded(index)
    case .failure(let failure):
      endings[index] = .failed(failure)
      progress.stepFailed(index)
    }
    return runs[index]?.forgotten(because: ending.failure) ?? []
  }

  private func outcome() -> RecipeOutcome {
    let steps = recipe.steps.indices.map { index in
      RecipeOutcome.Step(
        name: recipe.steps[index].name, ending: ending(of: index), leftOut: runs[index]?.leftOut ?? [],
        notes: runs[index]?.notes ?? [])
    }
    let failed = steps.lazy.compactMap { if case .failed(let failure) = $0.ending { failure } else { nil } }
      .first
    let needed = recipe.output.references.compactMap(\.step)
    guard needed.allSatisfy({ context.outputs[$0] != nil }) else {
      return RecipeOutcome(value: nil, failure: failed, steps: steps)
    }
    do throws(RecipeFailure) {
      return RecipeOutcome(value: try recipe.output.assembled(in: context), failure: failed, steps: steps)
    } catch {
      return RecipeOutcome(value: nil, failure: failed ?? error, steps: steps)
    }
  }

  private func ending(of index: Int) -> RecipeOutcome.Ending {
    if case .cancelled(let cause) = progress.states[index] {
      return .cancelled(because: recipe.steps[cause].name)
    }
    return endings[index] ?? .failed(.missingInput("'\(recipe.steps[index].name)' did not run"))
  }
}

extension Result {
  fileprivate var failure: Failure? { if case .failure(let failure) = self { failure } else { nil } }
}

extension RecipeStep {
  /// What a step without its condition yields: what it would have run for.
  ///
  /// - Returns: With it the bytes that it takes beyond the value of which it is a part.
  fileprivate func handedOn(
    in context: ValueContext
  ) throws(RecipeFailure) -> (output: JSONValue, bytes: Int) {
    if each != nil {
      let items = try JSONValue.array(of: try items(in: context))
      return (items, items.length)
    }
    if case (let input?, let bytes) = try input(in: context) { return (input, bytes) }
    return (try .assembled(from: Array("null".utf8)), 0)
  }
}

/// Which call of a run: the step, which of its values, and which page.
package struct CallID: Hashable, Sendable {
  /// The place of the step in the recipe, counted from 0.
  package var step: Int
  /// Which value of `each` it is for, counted from 0.
  package var ordinal = 0
  /// Which page, counted from 1.
  package var page = 1
}

/// What a run wants to be done.
package enum RecipeOrder: Sendable {
  /// Call the address, and read the answer as the step says.
  case call(CallID, url: String)
  /// This call is no longer needed: something failed, or, when that is nil, another call was enough.
  case forget(CallID, because: RecipeFailure?)
  /// The run is over; nothing follows.
  case end(RecipeOutcome)
}

/// How a whole run ended.
package struct RecipeOutcome: Sendable {
  /// How one step ended.
  package enum Ending: Hashable, Sendable {
    case done
    /// Its `when` is false: it handed on what it would have run for.
    case skipped
    case failed(RecipeFailure)
    /// The step named had to end well first, and failed.
    case cancelled(because: String)
  }

  /// How one step ended, and what is to be told of it.
  package struct Step: Sendable {
    package var name: String
    package var ending: Ending
    /// Calls that failed and were left out, with the place of their value in `each`.
    package var leftOut: [(ordinal: Int, failure: RecipeFailure)]
    /// Pages that were left out, and why.
    package var notes: [String]
  }

  /// What the recipe's output came to; nil when something it needs is missing.
  package var value: JSONValue?
  /// Why the run did not end well.
  package var failure: RecipeFailure?
  /// In the order of the recipe.
  package var steps: [Step]
}

/// Why a call, a step or a whole recipe did not end well.
package struct RecipeFailure: Error, Hashable, Sendable {
  /// What rows call it, such as `missing_input`; failures of calls bring their own.
  package var kind: String
  /// Where on the way it happened, as rows call it.
  package var stage: String
  /// One line for people.
  package var message: String

  /// A failure of a kind that rows know.
  package init(kind: String, at stage: String = "json", _ message: String) {
    self.kind = kind
    self.stage = stage
    self.message = message
  }

  static func missingInput(_ message: String) -> Self { Self(kind: "missing_input", message) }
  static func mismatch(_ message: String) -> Self { Self(kind: "decode_mismatch", message) }
  static func invalid(_ message: String) -> Self { Self(kind: "invalid_input", message) }
  static func noData(_ message: String) -> Self { Self(kind: "no_data", message) }
  static func tooLarge(_ message: String) -> Self { Self(kind: "body_too_large", message) }
}

/// The arguments of a run: a value for each parameter of the recipe.
package struct RecipeArguments: Hashable, Sendable {
  let values: [String: ParameterValue]

  /// Reads words such as `base=http://a.test`; of several for one parameter the last counts.
  ///
  /// - Parameter needingAll: Whether a parameter without value and default is an error.
  package init(_ words: [String], for recipe: Recipe, needingAll: Bool = true) throws(RecipeArgumentError) {
    var values: [String: ParameterValue] = [:]
    for parameter in recipe.parameters { values[parameter.name] = parameter.fallback }
    for word in words {
      guard let equals = word.utf8.firstIndex(of: UInt8(ascii: "=")) else { throw .noValue(word) }
      let name = String(word[..<equals])
      let text = String(word[word.utf8.index(after: equals)...])
      guard let parameter = recipe.parameters.first(where: { $0.name == name }) else {
        throw .unknown(name, known: recipe.parameters.map(\.name))
      }
      guard let value = parameter.type.value(of: text) else { throw .wrongValue(name, parameter.type, text) }
      values[name] = value
    }
    let missing = recipe.parameters.map(\.name).filter { values[$0] == nil }
    if needingAll, !missing.isEmpty { throw .missing(missing) }
    self.values = values
  }
}

/// Why words are not what a recipe is to be told.
package enum RecipeArgumentError: Error, Hashable, Sendable {
  case noValue(String)
  case unknown(String, known: [String])
  case wrongValue(String, ParameterType, String)
  case missing([String])

  /// One line for people.
  package var message: String {
    switch self {
    case .noValue(let word): "'\(word)' is not of the form name=value"
    case .unknown(let name, []): "unknown parameter '\(name)': the recipe has none"
    case .unknown(let name, let known):
      "unknown parameter '\(name)'"
        + (Suggestion.closest(to: name, among: known).map { " — did you mean '\($0)'?" }
          ?? ": there are \(known.joined(separator: ", "))")
    case .wrongValue(let name, let type, let text):
      "'\(text)' is not a value for '\(name)': expected \(type.expectation)"
    case .missing(let names):
      "no value for \(names.map { "'\($0)'" }.joined(separator: ", ")): give --param \(names.first ?? "")=…"
    }
  }
}

/// What a run may take: its steps share it.
struct RunRoom: Sendable {
  var calls = RecipeLimits.callsOfRun
  var bytes = RecipeLimits.bytesOfRun
}
