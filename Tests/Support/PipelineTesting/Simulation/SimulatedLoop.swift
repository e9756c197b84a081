import Pipeline
import Posix

/// The one thread of a simulation: tasks take turns on it, and when none can go on, time jumps to the next event.
final class SimulatedLoop: TaskExecutor {
  typealias Action = @Sendable () -> Void

  /// Why a run stopped.
  enum Ending: String, Sendable {
    case finished
    case nothingLeftToDo = "nothing is left to do"
    case outOfTime = "out of virtual time"
    case spinning = "tasks go on for ever without time passing"
  }

  /// Events of the same moment come in the order in which they were scheduled.
  private struct Due: Comparable {
    var moment: Moment
    var number: UInt64

    static func < (left: Due, right: Due) -> Bool {
      (left.moment, left.number) < (right.moment, right.number)
    }
  }

  private struct State {
    var now = SimulatedLoop.start
    var ready: [TaskJob] = []
    var events = MinHeap<Due, Action>()
    var scheduled: UInt64 = 0
    var isFinished = false
  }

  static let start = Moment(unixMilliseconds: 1_700_000_000_000)
  /// Pieces of tasks that may run without time passing.
  private static let timeout = 200_000

  private let state = Lock(State())
  private let chance: SimulatedChance

  init(chance: SimulatedChance) {
    self.chance = chance
  }

  var now: Moment { state.withLock { $0.now } }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = TaskJob(job)
    state.withLock { $0.ready.append(job) }
  }

  func schedule(at moment: Moment, _ action: @escaping Action) {
    state.withLock { state in
      state.scheduled += 1
      state.events.insert(action, at: Due(moment: max(moment, state.now), number: state.scheduled))
    }
  }

  /// Lets `run` return once the tasks that can go on have done so.
  func finish() {
    state.withLock { $0.isFinished = true }
  }

  /// Runs until `finish`, or until something keeps it from ever getting there.
  func run(until limit: Moment) -> Ending {
    state.withLock { $0.isFinished = false }
    while true {
      guard runReady() else { return .spinning }
      if state.withLock({ $0.isFinished }) { return .finished }
      switch nextEvent(until: limit) {
      case .some(.some(let action)): action()
      case .some(.none): return .outOfTime
      case .none: return .nothingLeftToDo
      }
    }
  }

  private func runReady() -> Bool {
    for _ in 0..<Self.timeout {
      guard let job = nextReady() else { return true }
      job.run(for: self)
    }
    return false
  }

  /// Any of those that can go on: a pool of threads promises no order either.
  private func nextReady() -> TaskJob? {
    let count = state.withLock { $0.ready.count }
    guard count > 0 else { return nil }
    let index = count == 1 || chance.happens(0.7) ? 0 : chance.below(count)
    return state.withLock { $0.ready.remove(at: index) }
  }

  /// Moves time to the next event; nil when there is none, and its action is nil when it comes after `limit`.
  private func nextEvent(until limit: Moment) -> Action?? {
    state.withLock { state in
      guard let next = state.events.first else { return nil }
      guard next.key.moment <= limit else { return .some(nil) }
      state.now = next.key.moment
      return state.events.popFirst()?.value
    }
  }
}
