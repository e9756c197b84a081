import JSONQuery

/// One step while it runs: its calls, their pages, and what they came to.
struct StepRun: Sendable {
  private let step: RecipeStep
  private let index: Int
  private var gathering: Gathering<JSONValue>
  private var chains: [Int: CallChain] = [:]
  private var faults: [Int: RecipeFailure] = [:]
  /// nil while it runs.
  private(set) var ending: Result<JSONValue, RecipeFailure>?
  private(set) var leftOut: [(ordinal: Int, failure: RecipeFailure)] = []
  private(set) var notes: [String] = []

  /// How many of its calls have ended.
  var counts: (ended: Int, total: Int) { (gathering.endedCount, gathering.total) }

  init(_ step: RecipeStep, at index: Int, _ context: ValueContext) throws(RecipeFailure) {
    self.step = step
    self.index = index
    let items: [JSONValue?] = step.isFannedOut ? try step.items(in: context) : [nil]
    gathering = Gathering(items.count, order: step.order, policy: step.policy)
    for (ordinal, item) in items.enumerated() {
      var context = context
      context.item = item
      do throws(RecipeFailure) {
        context.input = try step.input(in: context)
        let url = try step.address(in: context)
        let walk = step.paging.map { PageWalk(startingAt: url, most: $0.most) }
        chains[ordinal] = CallChain(context: context, walk: walk, url: url)
      } catch {
        faults[ordinal] = error
      }
    }
  }

  /// The first pages of all calls, in the order of their values; none when it has failed already.
  mutating func started() -> [RecipeOrder] {
    take(gathering.started())
    for (ordinal, fault) in faults.sorted(by: { $0.key < $1.key }) where ending == nil {
      take(gathering.callEnded(ordinal, .failure(fault)))
    }
    guard ending == nil else {
      chains = [:]
      return []
    }
    return chains.sorted { $0.key < $1.key }.map { ordinal, chain in
      .call(CallID(step: index, ordinal: ordinal), url: chain.url)
    }
  }

  mutating func callEnded(_ call: CallID, _ result: Result<CallAnswer, RecipeFailure>) -> [RecipeOrder] {
    guard var chain = chains[call.ordinal], chain.walk?.page ?? 1 == call.page else {
      return []
    }
    chains[call.ordinal] = nil
    let output: Result<JSONValue, RecipeFailure>
    do throws(RecipeFailure) {
      if let order = try chain.goOn(with: try result.get(), call, step, &notes) {
        chains[call.ordinal] = chain
        return [order]
      }
      output = .success(try chain.output(of: step))
    } catch {
      output = .failure(error)
    }
    take(gathering.callEnded(call.ordinal, output))
    return []
  }

  /// What is not over when the step is.
  mutating func forgotten(because failure: RecipeFailure?) -> [RecipeOrder] {
    defer { chains = [:] }
    return chains.sorted { $0.key < $1.key }.map { ordinal, chain in
      .forget(CallID(step: index, ordinal: ordinal, page: chain.walk?.page ?? 1), because: failure)
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

/// The call for one value of `each`, or the only one, and its pages.
private struct CallChain: Sendable {
  var context: ValueContext
  var walk: PageWalk?
  var pages: [JSONValue] = []
  var url: String

  /// Takes one page; the call of the next, or nil when it was the last.
  mutating func goOn(
    with answer: CallAnswer, _ call: CallID, _ step: RecipeStep, _ notes: inout [String]
  ) throws(RecipeFailure) -> RecipeOrder? {
    pages.append(answer.value)
    switch walk?.answered(answer.next) {
    case nil, .end: return nil
    case .capped:
      notes.append("\(url) has more than \(pages.count) pages: what stands behind them was left out")
      return nil
    case .circle:
      notes.append(
        "page \(pages.count) of \(url) leads back to one that was read: what stands behind it was left out")
      return nil
    case .call(let page, let address):
      let next = CallID(step: call.step, ordinal: call.ordinal, page: page)
      if let address { return .call(next, url: address) }
      return .call(next, url: try step.address(in: context, page: page))
    }
  }

  func output(of step: RecipeStep) throws(RecipeFailure) -> JSONValue {
    let value = walk != nil ? try JSONValue.array(of: pages.lazy.flatMap(\.elements)) : pages[0]
    guard let template = step.output else { return value }
    var context = context
    context.value = value
    return try template.assembled(in: context)
  }
}
