internal import Posix

/// One call of a service that calls back: lets only the first answer through.
final class CallbackCall<Output: Sendable, Failure: Error>: CallHandle {
  typealias Answer = ServiceAnswer<Output, Failure>
  typealias Handler = @Sendable (Answer) -> Void

  private enum State: Sendable {
    case idle
    case waiting(Handler, work: (any CallHandle)?)
    case answered
    case cancelled
  }

  private let state = Lock(State.idle)

  /// Starts the work, unless the call was cancelled before.
  func begin(_ handler: @escaping Handler, _ start: (@escaping Handler) -> (any CallHandle)?) {
    let isWanted = state.withLock { state in
      guard case .idle = state else { return false }
      state = .waiting(handler, work: nil)
      return true
    }
    guard isWanted else { return handler(.failure(.cancelled)) }
    let promise = Promise(self)
    let work = start { promise.call.answer($0) }
    if let work, !keep(work) { work.cancel() }
  }

  func cancel() {
    let waiting: (handler: Handler, work: (any CallHandle)?)? = state.withLock { state in
      switch state {
      case .waiting(let handler, let work):
        state = .cancelled
        return (handler, work)
      case .idle:
        state = .cancelled
        return nil
      case .answered, .cancelled: return nil
      }
    }
    waiting?.work?.cancel()
    waiting?.handler(.failure(.cancelled))
  }

  private func answer(_ answer: Answer) {
    // The work is let go outside the lock.
    let waiting: (handler: Handler, work: (any CallHandle)?)? = state.withLock { state in
      guard case .waiting(let handler, let work) = state else { return nil }
      state = .answered
      return (handler, work)
    }
    waiting?.handler(answer)
  }

  /// - Returns: False when the call was cancelled before the work could be told.
  private func keep(_ work: any CallHandle) -> Bool {
    state.withLock { state in
      switch state {
      case .waiting(let handler, _):
        state = .waiting(handler, work: work)
        return true
      case .idle, .answered: return true
      case .cancelled: return false
      }
    }
  }

  /// Held by the work's callback alone: when that is gone, no answer can come any more.
  private final class Promise: Sendable {
    let call: CallbackCall

    init(_ call: CallbackCall) {
      self.call = call
    }

    deinit {
      call.answer(.failure(.unanswered))
    }
  }
}
