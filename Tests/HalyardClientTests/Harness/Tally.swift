import Halyard
import HalyardConcurrency
import PipelineTesting
import Posix

/// Counts the answers of many calls.
final class Tally: Sendable {
  private struct State: Sendable {
    var answers: [Int]
    var values = 0
    var kinds: Set<HalyardError.Kind> = []
  }

  let count: Int
  private let state: Lock<State>
  private let done = TaskChannel<Void>(capacity: .unbounded)

  init(count: Int) {
    self.count = count
    state = Lock(State(answers: [Int](repeating: 0, count: count)))
  }

  /// How many answers each call has had.
  var answers: [Int] { state.withLock { $0.answers } }
  var values: Int { state.withLock { $0.values } }
  var kinds: Set<HalyardError.Kind> { state.withLock { $0.kinds } }

  func add(_ result: Result<some Sendable, HalyardError>, to number: Int) {
    state.withLock { state in
      state.answers[number] += 1
      switch result {
      case .success: state.values += 1
      case .failure(let error): state.kinds.insert(error.kind)
      }
    }
    _ = try? done.offer(())
  }

  /// So many answers in all.
  func waitForAll() async throws {
    try await soon("\(count) answers", within: .seconds(240)) { [self] in
      for _ in 0..<count { _ = try await done.receive() }
    }
  }
}
