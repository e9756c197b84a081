internal import Posix
internal import Roles

/// Gives calls to the session under way, and begins one when there is none.
final class ClientCore: Sendable {
  private struct State: Sendable {
    var session: Session?
    var isStopped = false
  }

  private let backend: any Backend
  private let maxCalls: Int
  private let state = Lock(State())

  init(_ backend: any Backend, maxCalls: Int) {
    self.backend = backend
    self.maxCalls = maxCalls
  }

  /// - Parameter answer: Called exactly once, on any thread, and also inside this call or the cancellation.
  func ask(
    _ draft: JobDraft, _ priority: CallOptions.Priority = .normal, _ answer: @escaping PendingCalls.Answer
  ) -> any CallHandle {
    while let session = session() {
      switch session.add(draft, priority, answer) {
      case .accepted(let ticket): return Ticket(session: session, number: ticket)
      case .full:
        answer(.failure(.tooMany(maxCalls)))
        return NothingToCancel()
      // Meanwhile.
      case .ended: forget(session)
      }
    }
    answer(.failure(.shutDown))
    return NothingToCancel()
  }

  /// - Returns: What is left to wait for.
  @discardableResult
  func stop() -> Session? {
    let session = state.withLock { state in
      state.isStopped = true
      return state.session
    }
    session?.stop()
    return session
  }

  private func session() -> Session? {
    state.withLock { state in
      guard !state.isStopped else { return nil }
      if let session = state.session { return session }
      let session = Session(maxCalls: maxCalls)
      // Under the lock: a shutdown waits for what has begun.
      session.begin(at: backend)
      state.session = session
      return session
    }
  }

  /// Once it is stopped it keeps its session: every shutdown waits for that.
  private func forget(_ session: Session) {
    state.withLock { state in
      if !state.isStopped, state.session === session { state.session = nil }
    }
  }
}

private struct Ticket: CallHandle {
  let session: Session
  let number: UInt64

  func cancel() { session.cancel(number) }
}

private struct NothingToCancel: CallHandle {
  func cancel() {}
}
