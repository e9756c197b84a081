import Posix
package import Roles

/// Gives calls to the session under way, and begins one when there is none.
package final class CallCore: Sendable {
  private struct State: Sendable {
    var session: CallSession?
    var isStopped = false
  }

  private let backend: any CallBackend
  private let maxCalls: Int
  private let answersAtOnce: Int
  private let state = Lock(State())

  /// - Parameters:
  ///   - maxCalls: Calls that can be unanswered at a time.
  ///   - answersAtOnce: How many callers are answered at a time, if there are threads; 1 where none of them takes long.
  package init(_ backend: any CallBackend, maxCalls: Int, answersAtOnce: Int = 64) {
    (self.backend, self.maxCalls, self.answersAtOnce) = (backend, maxCalls, answersAtOnce)
  }

  /// - Parameter answer: Called exactly once, on any thread, and also inside this call or the cancellation.
  @discardableResult
  package func ask(
    _ draft: JobDraft, _ priority: CallPriority = .normal, _ answer: @escaping PendingCalls.Answer
  ) -> CallTicket {
    while let session = session() {
      switch session.add(draft, priority, answer) {
      case .accepted(let ticket): return CallTicket(session: session, number: ticket)
      case .full:
        answer(.failure(.tooMany(maxCalls)))
        return CallTicket()
      // Meanwhile.
      case .ended: forget(session)
      }
    }
    answer(.failure(.shutDown))
    return CallTicket()
  }

  /// - Returns: What is left to wait for.
  @discardableResult
  package func stop() -> CallSession? {
    let session = state.withLock { state in
      state.isStopped = true
      return state.session
    }
    session?.stop()
    return session
  }

  private func session() -> CallSession? {
    state.withLock { state in
      guard !state.isStopped else { return nil }
      if let session = state.session { return session }
      let session = CallSession(maxCalls: maxCalls, answersAtOnce: answersAtOnce)
      // Under the lock: a shutdown waits for what has begun.
      session.begin(at: backend)
      state.session = session
      return session
    }
  }

  /// Once it is stopped it keeps its session: every shutdown waits for that.
  private func forget(_ session: CallSession) {
    state.withLock { state in
      if !state.isStopped, state.session === session { state.session = nil }
    }
  }
}

/// What cancels a call, if there is still something to cancel.
package struct CallTicket: Sendable {
  fileprivate var session: CallSession?
  fileprivate var number: UInt64 = 0

  package func cancel() { session?.cancel(number) }
}
