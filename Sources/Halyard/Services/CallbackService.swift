/// A service that answers by calling back, for code that is not async.
///
/// Whatever the work does, the handler is called exactly once: a second answer is dropped, one that never comes because the
/// work dropped its callback is ``ServiceError/unanswered``, and a cancelled call is answered ``ServiceError/cancelled`` at
/// once, however long the work takes to notice.
public struct CallbackService<Input: Sendable, Output: Sendable, Failure: Error>: Sendable {
  /// How a call ends: with its output, or with its failure.
  public typealias Answer = ServiceAnswer<Output, Failure>
  /// What is called with the answer, once.
  public typealias Handler = @Sendable (Answer) -> Void

  private let start: @Sendable (Input, @escaping Handler) -> any CallHandle

  /// - Parameter start: Started by every call. Calls back when it has an answer, from any thread, and returns what ends
  ///   it early.
  public init(_ start: @escaping @Sendable (Input, @escaping Handler) -> any CallHandle) {
    self.start = start
  }

  /// Starts the work and returns at once.
  ///
  /// - Parameter handler: Called on the thread that has the answer, or that cancels; so hold no lock while cancelling
  ///   that the handler takes.
  /// - Returns: What cancels the call. The call goes on when it is dropped.
  @discardableResult
  public func callAsFunction(_ input: Input, then handler: @escaping Handler) -> any CallHandle {
    let call = CallbackCall<Output, Failure>()
    begin(call, input, then: handler)
    return call
  }

  func begin(_ call: CallbackCall<Output, Failure>, _ input: Input, then handler: @escaping Handler) {
    call.begin(handler) { [start] answer in start(input, answer) }
  }
}
