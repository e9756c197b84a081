import Posix

/// Counts what must end before a server has ended: its thread, and the tasks of its requests.
final class Ending: Sendable {
  private struct State {
    var running = 0
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Lock(State())

  func began() {
    state.withLock { $0.running += 1 }
  }

  func ended() {
    let waiters: [CheckedContinuation<Void, Never>] = state.withLock { state in
      state.running -= 1
      guard state.running == 0 else { return [] }
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Returns when all is over.
  func wait() async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if state.running > 0 { state.waiters.append(continuation) }
        return state.running == 0
      }
      if isOver { continuation.resume() }
    }
  }
}
