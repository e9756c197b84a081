import Pipeline
import Posix

/// One process of the simulation: what is meant for it waits while it is stopped, and is lost when it is dead.
final class SimulatedProcess: Sendable {
  private struct State {
    var isAlive = true
    var isStopped = false
    var parked: [SimulatedLoop.Action] = []
    var lastWords: [SimulatedLoop.Action] = []
    var task: Task<Void, Never>?
  }

  /// Its place in the fleet, which it keeps when it is started again.
  let slot: String
  let name: String
  let loop: SimulatedLoop
  private let state = Lock(State())

  init(slot: String, incarnation: Int, loop: SimulatedLoop) {
    self.slot = slot
    name = "\(slot)#\(incarnation)"
    self.loop = loop
  }

  var isAlive: Bool { state.withLock { $0.isAlive } }
  var isStopped: Bool { state.withLock { $0.isStopped } }

  /// Starts its main task; `ended` comes when that returns by itself, and not after a kill.
  func start(
    _ body: @escaping @Sendable () async throws -> Void, ended: @escaping @Sendable ((any Error)?) -> Void
  ) {
    let task = Task(executorPreference: loop) {
      var failure: (any Error)?
      do { try await body() } catch { failure = error }
      guard self.isAlive else { return }
      self.kill()
      ended(failure)
    }
    state.withLock { $0.task = task }
  }

  /// Something that happens to this process.
  func schedule(afterMilliseconds wait: Int64, _ action: @escaping SimulatedLoop.Action) {
    schedule(at: loop.now.advanced(byMilliseconds: wait), action)
  }

  func schedule(at moment: Moment, _ action: @escaping SimulatedLoop.Action) {
    loop.schedule(at: moment) { self.perform(action) }
  }

  private func perform(_ action: @escaping SimulatedLoop.Action) {
    let isDue = state.withLock { state in
      if state.isStopped, state.isAlive { state.parked.append(action) }
      return state.isAlive && !state.isStopped
    }
    if isDue { action() }
  }

  /// - Parameter action: Happens at its death; at once when it is dead already.
  func atDeath(_ action: @escaping SimulatedLoop.Action) {
    let isAlive = state.withLock { state in
      if state.isAlive { state.lastWords.append(action) }
      return state.isAlive
    }
    if !isAlive { action() }
  }

  func kill() {
    let (words, task) = state.withLock { state -> ([SimulatedLoop.Action], Task<Void, Never>?) in
      state.isAlive = false
      defer { (state.parked, state.lastWords, state.task) = ([], [], nil) }
      return (state.lastWords, state.task)
    }
    for word in words { word() }
    task?.cancel()
  }

  func stop() {
    state.withLock { $0.isStopped = true }
  }

  func resume() {
    let parked = state.withLock { state in
      state.isStopped = false
      defer { state.parked = [] }
      return state.parked
    }
    for action in parked { schedule(afterMilliseconds: 0, action) }
  }
}

/// The time as a process sees it: an alarm that goes off while it is stopped is heard later.
struct SimulatedClock: PipelineClock {
  let process: SimulatedProcess

  var now: Moment { process.loop.now }

  func sleep(until moment: Moment) async throws {
    guard process.isAlive else { throw CancellationError() }
    let waiter = Waiter()
    process.schedule(at: moment) { waiter.wake() }
    process.atDeath { waiter.wake() }
    await waiter.wait()
    try Task.checkCancellation()
    guard process.isAlive else { throw CancellationError() }
  }
}
