import Posix

/// An event that a test waited for did not come.
package struct WaitedInVain: Error, CustomStringConvertible {
  let event: String
  let duration: Duration

  package var description: String { "waited \(duration) in vain for \(event)" }
}

/// Waits for an event that a test names, and no longer than its deadline: what hangs fails, and says at what.
///
/// What waits is cancelled then, and left behind if it does not care. A lock joins the two, and no channel: those are tested
/// with it.
package func soon<Value: Sendable>(
  _ event: String, within duration: Duration = .seconds(240),
  _ wait: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  let race = Race<Value>()
  let waiting = Task {
    let ending: Result<Value, any Error>
    do { ending = .success(try await wait()) } catch { ending = .failure(error) }
    race.end(ending)
  }
  let alarm = Task {
    try await Task.sleep(for: duration)
    race.end(.failure(WaitedInVain(event: event, duration: duration)))
  }
  defer {
    waiting.cancel()
    alarm.cancel()
  }
  return try await withTaskCancellationHandler {
    try await race.ending()
  } onCancel: {
    waiting.cancel()
  }
}

/// The first of several endings, for one who waits for it.
private final class Race<Value: Sendable>: Sendable {
  private struct State: Sendable {
    var ending: Result<Value, any Error>?
    var caller: CheckedContinuation<Value, any Error>?
  }

  private let state = Lock(State())

  func end(_ ending: Result<Value, any Error>) {
    let caller = state.withLock { state -> CheckedContinuation<Value, any Error>? in
      guard state.ending == nil else { return nil }
      state.ending = ending
      return state.caller.take()
    }
    caller?.resume(with: ending)
  }

  func ending() async throws -> Value {
    try await withCheckedThrowingContinuation { caller in
      let ending = state.withLock { state in
        if state.ending == nil { state.caller = caller }
        return state.ending
      }
      if let ending { caller.resume(with: ending) }
    }
  }
}
