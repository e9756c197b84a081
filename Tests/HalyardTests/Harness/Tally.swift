import Posix

/// Counts something that happens elsewhere, and wakes whoever waits for the next ones; every wait has a deadline.
final class Tally: Sendable {
  private struct State {
    var count = 0
    var nextWaiter = 0
    var waiters: [Int: Waiter] = [:]
  }

  private struct Waiter {
    var goal: Int
    var continuation: CheckedContinuation<Bool, Never>
  }

  private let state = Lock(State())

  var count: Int { state.withLock { $0.count } }

  func add(_ more: Int = 1) {
    let awake = state.withLock { state in
      state.count += more
      let awake = state.waiters.filter { $0.value.goal <= state.count }
      for id in awake.keys { state.waiters[id] = nil }
      return awake.values.map(\.continuation)
    }
    for continuation in awake { continuation.resume(returning: true) }
  }

  /// Waits until so many have been counted; false when the time is over first.
  func reaches(_ goal: Int, within seconds: Double) async -> Bool {
    let id = state.withLock { state in
      state.nextWaiter += 1
      return state.nextWaiter
    }
    let timer = Task {
      guard (try? await Task.sleep(for: .seconds(seconds))) != nil else { return }
      state.withLock { $0.waiters.removeValue(forKey: id)?.continuation }?.resume(returning: false)
    }
    defer { timer.cancel() }
    return await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        guard state.count < goal else { return true }
        state.waiters[id] = Waiter(goal: goal, continuation: continuation)
        return false
      }
      if isThere { continuation.resume(returning: true) }
    }
  }
}
