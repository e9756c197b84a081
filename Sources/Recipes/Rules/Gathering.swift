/// Collects how the calls of one step end, and tells once when their outputs are complete.
struct Gathering<Output: Sendable>: Sendable {
  enum Verdict: Sendable {
    /// Others must end first.
    case open
    /// What is not over yet is no longer needed.
    case complete([Output], failures: [Failed])
    case failed(RecipeFailure)
  }

  struct Failed: Hashable, Sendable {
    /// Which of the values of `each` it was made for, counted from 0.
    var ordinal: Int
    var failure: RecipeFailure
  }

  let total: Int
  private let order: GatherOrder
  private let policy: GatherPolicy
  private(set) var outputs: [(ordinal: Int, output: Output)] = []
  private var failures: [Failed] = []
  private var ended: Set<Int> = []
  private var isSettled = false

  var endedCount: Int { ended.count }

  init(_ total: Int, order: GatherOrder, policy: GatherPolicy) {
    self.total = total
    self.order = order
    self.policy = policy
  }

  /// What there is to say before any call has ended.
  mutating func started() -> Verdict { verdict() }

  /// What ends twice, or after the verdict, changes nothing.
  mutating func callEnded(_ ordinal: Int, _ result: Result<Output, RecipeFailure>) -> Verdict {
    guard !isSettled, (0..<total).contains(ordinal), ended.insert(ordinal).inserted else { return .open }
    switch result {
    case .success(let output): outputs.append((ordinal, output))
    case .failure(let failure): failures.append(Failed(ordinal: ordinal, failure: failure))
    }
    return verdict()
  }

  private mutating func verdict() -> Verdict {
    let verdict = reached()
    if case .open = verdict { return verdict }
    isSettled = true
    outputs = []
    return verdict
  }

  private func reached() -> Verdict {
    switch policy {
    case .all:
      if let first = failures.first { return .failed(first.failure) }
      return ended.count == total ? .complete(ordered, failures: []) : .open
    case .settled:
      return ended.count == total ? .complete(ordered, failures: ordered(failures)) : .open
    case .first:
      if let first = outputs.first { return .complete([first.output], failures: ordered(failures)) }
      guard ended.count == total else { return .open }
      return .failed(ordered(failures).first?.failure ?? .noData("there is nothing to run for"))
    }
  }

  private var ordered: [Output] {
    switch order {
    case .source: outputs.sorted { $0.ordinal < $1.ordinal }.map(\.output)
    case .completion: outputs.map(\.output)
    }
  }

  private func ordered(_ failures: [Failed]) -> [Failed] {
    switch order {
    case .source: failures.sorted { $0.ordinal < $1.ordinal }
    case .completion: failures
    }
  }
}
