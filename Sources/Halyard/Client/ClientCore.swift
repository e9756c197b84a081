internal import Posix
internal import Roles

/// Gives calls to the session under way, and begins one when there is none.
final class ClientCore: Sendable {
  private enum State: Sendable {
    case idle
    case working(Session)
    case stopped(Session?)
  }

  private let backend: any Backend
  private let maxCalls: Int
  private let state = Lock(State.idle)

  init(_ backend: any Backend, maxCalls: Int) {
    self.backend = backend
    self.maxCalls = maxCalls
  }

  func ask(
    _ draft: JobDraft, _ priority: CallOptions.Priority = .normal, _ answer: @escaping PendingCalls.Answer
  ) -> any CallHandle {
    while let session = session() {
      switch session.add(draft, priority, answer) {
      case .accepted(let ticket): return ticket
      case .full:
        answer(.failure(.failed(.tooMany(maxCalls))))
        return NothingToCancel()
      // Meanwhile.
      case .ended: forget(session)
      }
    }
    answer(.failure(.failed(.shutDown)))
    return NothingToCancel()
  }

  /// - Returns: What is left to wait for.
  @discardableResult
  func stop() -> Session? {
    let session: Session? = state.withLock { state in
      switch state {
      case .idle:
        state = .stopped(nil)
        return nil
      case .working(let session):
        state = .stopped(session)
        return session
      case .stopped(let session): return session
      }
    }
    session?.stop()
    return session
  }

  private func session() -> Session? {
    state.withLock { state in
      switch state {
      case .idle:
        let session = Session(maxCalls: maxCalls)
        // Under the lock: a shutdown waits for what has begun.
        session.begin(at: backend)
        state = .working(session)
        return session
      case .working(let session): return session
      case .stopped: return nil
      }
    }
  }

  private func forget(_ session: Session) {
    state.withLock { state in
      if case .working(let current) = state, current === session { state = .idle }
    }
  }
}

private struct NothingToCancel: CallHandle {
  func cancel() {}
}
