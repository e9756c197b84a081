package import Pipeline
import Posix

/// A clock that a test moves by hand.
package final class ManualClock: PipelineClock {
  private struct Sleeper: Sendable {
    var id: UInt64
    var until: Moment
    var continuation: CheckedContinuation<Void, any Error>
  }

  private struct State: Sendable {
    var now = Moment(unixMilliseconds: 1_700_000_000_000)
    var lastID: UInt64 = 0
    var sleepers: [Sleeper] = []
    var cancelled: Set<UInt64> = []
  }

  private let state = Lock(State())
  private let isStepping: Bool
  private let reading: @Sendable () -> Void

  /// - Parameters:
  ///   - isStepping: Time passes at once when somebody waits for it.
  ///   - reading: Called by whoever asks for the time.
  package init(isStepping: Bool = false, reading: @escaping @Sendable () -> Void = {}) {
    (self.isStepping, self.reading) = (isStepping, reading)
  }

  package var now: Moment {
    reading()
    return state.withLock { $0.now }
  }

  /// How many wait for a moment to come.
  package var sleepers: Int { state.withLock { $0.sleepers.count } }

  /// Moves time on and wakes those whose moment has come.
  package func advance(byMilliseconds milliseconds: Int64) {
    let due = state.withLock { state in
      state.now = state.now.advanced(byMilliseconds: milliseconds)
      let due = state.sleepers.filter { $0.until <= state.now }
      state.sleepers.removeAll { $0.until <= state.now }
      return due
    }
    for sleeper in due { sleeper.continuation.resume() }
  }

  package func sleep(until moment: Moment) async throws {
    if isStepping { return state.withLock { $0.now = max($0.now, moment) } }
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let outcome: Result<Void, any Error>? = state.withLock { state in
          if state.cancelled.remove(id) != nil { return .failure(CancellationError()) }
          if moment <= state.now { return .success(()) }
          state.sleepers.append(Sleeper(id: id, until: moment, continuation: continuation))
          return nil
        }
        if let outcome { continuation.resume(with: outcome) }
      }
    } onCancel: {
      let sleeper: Sleeper? = state.withLock { state in
        guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
          state.cancelled.insert(id)
          return nil
        }
        return state.sleepers.remove(at: index)
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }
}
