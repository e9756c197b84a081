/// A service that answers by calling back, for code that is not async.
///
/// Whatever the work does, the handler is called exactly once: a second answer is dropped, one that never comes because the
/// work dropped its callback is ``ServiceError/unanswered``, and a cancelled call is answered ``ServiceError/cancelled`` at
/// once, however long the work takes to notice.
///
/// Handlers are called in tasks of their own, never inside the call or its cancellation. So you may call and cancel while you
/// hold a lock that the handler takes.
public struct CallbackService<Input: Sendable, Output: Sendable, Failure: Error>: Sendable {
  /// How a call ends: with its output, or with its failure.
  public typealias Answer = ServiceAnswer<Output, Failure>
  /// What is called with the answer, once.
  public typealias Handler = @Sendable (Answer) -> Void

  private let start: @Sendable (Input, @escaping Handler) -> (any CallHandle)?

  /// A service whose work tells its own cancellation from its failures.
  public static func answering(
    _ start: @escaping @Sendable (Input, @escaping Handler) -> (any CallHandle)?
  ) -> CallbackService {
    CallbackService(start: start)
  }

  /// Starts the work and returns at once.
  ///
  /// - Parameter handler: Called in a task of its own, on Swift's thread pool: it must not block there.
  /// - Returns: What cancels the call. The call goes on when it is dropped.
  @discardableResult
  public func callAsFunction(_ input: Input, then handler: @escaping Handler) -> any CallHandle {
    // The answer may come inside this call, or inside the cancellation, where the caller may hold a lock.
    begin(input) { answer in Task.detached { handler(answer) } }
  }

  /// - Parameter resume: Called on any thread, also on this one: what it does is to be harmless there.
  func begin(_ input: Input, then resume: @escaping Handler) -> any CallHandle {
    CallbackCall(resume) { start(input, $0) }
  }
}

extension CallbackService {
  /// Makes a service of a function that calls back with a result.
  ///
  /// - Parameter start: Started by every call. Calls back when it has a result, from any thread, and returns what ends
  ///   it early; nil when nothing can. A failure that is a cancellation is ``ServiceError/cancelled``.
  public init(
    _ start:
      @escaping @Sendable (Input, @escaping @Sendable (Result<Output, Failure>) -> Void) -> (any CallHandle)?
  ) {
    self = .answering { input, answer in
      start(input) { result in answer(result.mapError { ServiceError(thrown: $0) }) }
    }
  }
}

extension CallbackService where Input == Void {
  /// Starts the work and returns at once; see ``callAsFunction(_:then:)``.
  @discardableResult
  public func callAsFunction(then handler: @escaping Handler) -> any CallHandle { self((), then: handler) }
}
