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
