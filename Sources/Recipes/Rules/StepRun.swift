import JSONQuery

/// One step while it runs: its calls, their pages, and what they came to.
struct StepRun: Sendable {
  private let step: RecipeStep
  private let index: Int
  private var gathering: Gathering<JSONValue>
  private var chains: [Int: CallChain] = [:]
  private var faults: [Int: RecipeFailure] = [:]
  /// Calls that were ever made, pages counted.
  private(set) var called = 0
  /// Of what the calls answered, and of the inputs that were put together for them.
  private(set) var heldBytes = 0
  private var room: RunRoom
  /// nil while it runs.
  private(set) var ending: Result<JSONValue, RecipeFailure>?
  private(set) var leftOut: [(ordinal: Int, failure: RecipeFailure)] = []
  private(set) var notes: [String] = []

  var outputs: [JSONValue] { gathering.outputs.map(\.output) }

  /// How many of its calls have ended.
  var counts: (ended: Int, total: Int) { (gathering.endedCount, gathering.total) }

  /// - Parameter room: What the other steps leave it.
  init(
    _ step: RecipeStep, at index: Int, _ context: ValueContext, room: RunRoom
  ) throws(RecipeFailure) {
    self.step = step
    self.index = index
    self.room = room
    let items: [JSONValue?] = step.isFannedOut ? try step.items(in: context) : [nil]
    gathering = Gathering(items.count, order: step.order, policy: step.policy)
    for (ordinal, item) in items.enumerated() {
      var context = context
      context.item = item
      do throws(RecipeFailure) {
        let (input, bytes) = try step.input(in: context)
        context.input = input
        let url = try step.address(in: context)
        let walk = step.paging.map { PageWalk(startingAt: url, most: $0.most) }
        chains[ordinal] = CallChain(context, walk, url: url, inputBytes: bytes)
        heldBytes += bytes
      } catch {
        faults[ordinal] = error
      }
      try checkBytes()
    }
    called = chains.count
    try checkCalls()
  }

  /// The first pages of all calls, in the order of their values; none when it has failed already.
  mutating func started() -> [RecipeOrder] {
    take(gathering.started())
    for (ordinal, fault) in faults.sorted(by: { $0.key < $1.key }) where ending == nil {
      take(gathering.callEnded(ordinal, .failure(fault)))
    }
    guard ending == nil else {
      (chains, called) = ([:], 0)
      return []
    }
    return chains.sorted { $0.key < $1.key }.map { ordinal, chain in
      .call(CallID(step: index, ordinal: ordinal), url: chain.url)
    }
  }

  /// - Returns: The next pages, or those that are no longer needed because this one failed.
  mutating func callEnded(
    _ call: CallID, _ result: Result<CallAnswer, RecipeFailure>, room: RunRoom
  ) -> [RecipeOrder] {
    self.room = room
    guard var chain = chains.removeValue(forKey: call.ordinal) else { return [] }
    guard chain.open.contains(call.page) else {
      chains[call.ordinal] = chain
      return []
    }
    heldBytes -= chain.heldBytes
    do throws(RecipeFailure) {
      let next = try follow(&chain, call, try result.get())
      if !chain.isComplete { chains[call.ordinal] = chain }
      return next.map { .call(CallID(step: index, ordinal: call.ordinal, page: $0.number), url: $0.url) }
    } catch {
      take(gathering.callEnded(call.ordinal, .failure(error)))
      return chain.open.subtracting([call.page]).sorted().map {
        .forget(CallID(step: index, ordinal: call.ordinal, page: $0), because: error)
      }
    }
  }

  /// - Returns: The pages to call now; none when the step ends.
  private mutating func follow(
    _ chain: inout CallChain, _ call: CallID, _ answer: CallAnswer
  ) throws(RecipeFailure) -> [CallChain.Page] {
    let next = try chain.answered(answer, page: call.page, of: step)
    called += next.count
    do throws(RecipeFailure) {
      try checkCalls()
    } catch {
      chain.forgo(next)
      called -= next.count
      throw error
    }
    guard chain.isComplete else {
      hold(chain.heldBytes)
      guard ending == nil else {
        chain.forgo(next)
        called -= next.count
        return []
      }
      return next
    }
    if let note = chain.note { notes.append(note) }
    let output = try chain.output(of: step)
    hold(output.length)
    if ending == nil { take(gathering.callEnded(call.ordinal, .success(output))) }
    return []
  }

  /// What cannot become one value is not gathered to its end.
  private mutating func hold(_ bytes: Int) {
    heldBytes += bytes
    do throws(RecipeFailure) {
      try checkBytes()
    } catch {
      ending = .failure(error)
    }
  }

  private func checkBytes() throws(RecipeFailure) {
    guard heldBytes <= RecipeLimits.longestValue else {
      throw .tooLarge("what '\(step.name)' gathers takes more than \(RecipeLimits.longestValue >> 20) MiB")
    }
    guard heldBytes <= room.bytes else {
      throw .tooLarge(
        "what '\(step.name)' and the steps before it gather takes more than \(RecipeLimits.bytesOfRun >> 20) MiB"
      )
    }
  }

  private func checkCalls() throws(RecipeFailure) {
    guard called <= RecipeLimits.callsOfStep else {
      throw .tooLarge("'\(step.name)' would make more than \(RecipeLimits.callsOfStep) calls, pages counted")
    }
    guard called <= room.calls else {
      throw .tooLarge(
        "with '\(step.name)' the run would make more than \(RecipeLimits.callsOfRun) calls, pages counted")
    }
  }

  /// What is not over when the step is. Nothing is kept of one that failed.
  mutating func forgotten(because failure: RecipeFailure?) -> [RecipeOrder] {
    defer {
      for chain in chains.values { heldBytes -= chain.heldBytes }
      chains = [:]
      if failure != nil { heldBytes = 0 }
    }
    return chains.sorted { $0.key < $1.key }.flatMap { ordinal, chain in
      chain.open.sorted().map {
        .forget(CallID(step: index, ordinal: ordinal, page: $0), because: failure)
      }
    }
  }

  private mutating func take(_ verdict: Gathering<JSONValue>.Verdict) {
    switch verdict {
    case .open: return
    case .failed(let failure): ending = .failure(failure)
    case .complete(let outputs, let failures):
      leftOut = failures.map { ($0.ordinal, $0.failure) }
      let isOne = !step.isFannedOut || step.policy == .first
      do throws(RecipeFailure) {
        ending = .success(isOne && outputs.count == 1 ? outputs[0] : try .array(of: outputs))
      } catch {
        ending = .failure(error)
      }
    }
  }
}

/// How far each step is, and what that means for the others.
struct StepProgress: Sendable {
  enum State: Hashable, Sendable {
    case waiting
    case running
    case done
    case failed
    /// Because the step named, which failed, had to end well first.
    case cancelled(because: Int)
  }

  private(set) var states: [State]
  private let dependencies: [[Int]]

  init(_ dependencies: [[Int]]) {
    self.dependencies = dependencies
    states = Array(repeating: .waiting, count: dependencies.count)
  }

  var isOver: Bool { !states.contains { $0 == .waiting || $0 == .running } }

  /// Steps that wait for nothing any more, in the order of the file; they run from now on.
  mutating func startable() -> [Int] {
    let found = states.indices.filter { step in
      states[step] == .waiting && dependencies[step].allSatisfy { states[$0] == .done }
    }
    for step in found { states[step] = .running }
    return found
  }

  mutating func stepSucceeded(_ step: Int) {
    if states[step] == .running { states[step] = .done }
  }

  /// Cancels what depends on it, however far away.
  mutating func stepFailed(_ step: Int) {
    guard states[step] == .running else { return }
    states[step] = .failed
    var reached = [step]
    while let cause = reached.popLast() {
      for dependant in states.indices
      where states[dependant] == .waiting && dependencies[dependant].contains(cause) {
        states[dependant] = .cancelled(because: step)
        reached.append(dependant)
      }
    }
  }
}

/// How far a step of a run is.
package struct StepState: Encodable, Hashable, Sendable {
  package enum Phase: String, Encodable, Hashable, Sendable {
    case waiting
    case running
    case done
    case skipped
    case failed
    case cancelled
  }

  package var name: String
  package var phase: Phase
  /// Calls that have ended, next pages not counted.
  package var ended: Int
  /// Calls that there are; 0 before that is known.
  package var calls: Int
}

extension RecipeRun {
  /// How far each step is, in the order of the recipe.
  package var stepStates: [StepState] {
    recipe.steps.indices.map { index in
      let counts = runs[index]?.counts ?? (ended: 0, total: 0)
      return StepState(
        name: recipe.steps[index].name, phase: phase(of: index), ended: counts.ended, calls: counts.total)
    }
  }

  private func phase(of index: Int) -> StepState.Phase {
    switch progress.states[index] {
    case .waiting: .waiting
    case .running: .running
    case .done: endings[index] == .skipped ? .skipped : .done
    case .failed: .failed
    case .cancelled: .cancelled
    }
  }
}
