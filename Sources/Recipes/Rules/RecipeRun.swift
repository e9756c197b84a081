import JSONQuery

/// One run of a recipe: events in, orders out. It does no I/O and has no clock.
///
/// The same events in the same order give the same orders, so that a run can be told again from what is stored.
package struct RecipeRun: Sendable {
  let recipe: Recipe
  private var context: ValueContext
  private(set) var progress: StepProgress
  private(set) var runs: [StepRun?]
  private(set) var endings: [RecipeOutcome.Ending?]
  /// What is left for the calls and the outputs of all steps.
  private var room: RunRoom
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
    guard runs.indices.contains(call.step), progress.states[call.step] == .running, var run = runs[call.step]
    else { return [] }
    runs[call.step] = nil
    room.add(run)
    var orders = run.callEnded(call, result, room: room)
    room.take(run)
    runs[call.step] = run
    if let ending = run.ending { orders += settle(call.step, ending) + advance() }
    return orders
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
        try room.take(handedOn: bytes)
        context.outputs[index] = output
        endings[index] = .skipped
        progress.stepSucceeded(index)
        return []
      }
      var run = try StepRun(step, at: index, context, room: room)
      let orders = run.started()
      room.take(run)
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
    guard var run = runs[index] else { return [] }
    room.add(run)
    let orders = run.forgotten(because: ending.failure)
    room.take(run)
    runs[index] = run
    return orders
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
