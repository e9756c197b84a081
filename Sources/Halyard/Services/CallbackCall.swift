internal import Posix

/// One call of a service that calls back: lets only the first answer through.
final class CallbackCall<Output: Sendable, Failure: Error>: CallHandle {
  typealias Handler = @Sendable (ServiceAnswer<Output, Failure>) -> Void

  private struct Waiting: Sendable {
    let handler: Handler
    var work: (any CallHandle)?
  }

  /// Nil once the call is over.
  private let waiting: Lock<Waiting?>

  init(_ handler: @escaping Handler, _ start: (@escaping Handler) -> (any CallHandle)?) {
    waiting = Lock(Waiting(handler: handler))
    let promise = Promise(self)
    let work = start { promise.call.end()?.handler($0) }
    waiting.withLock { $0?.work = work }
  }

  func cancel() {
    let waiting = end()
    waiting?.work?.cancel()
    waiting?.handler(.failure(.cancelled))
  }

  /// - Returns: Who is to be told; nil when it was over. The work is let go outside the lock.
  private func end() -> Waiting? { waiting.withLock { $0.take() } }

  /// Held by the work's callback alone: when that is gone, no answer can come any more.
  private final class Promise: Sendable {
    let call: CallbackCall

    init(_ call: CallbackCall) {
      self.call = call
    }

    deinit {
      call.end()?.handler(.failure(.unanswered))
    }
  }
}
