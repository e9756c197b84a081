internal import Posix

/// A call that can be ended early.
public protocol CallHandle: Sendable {
  /// Ends the call; does nothing when it is over. May be called at any time, from any thread.
  func cancel()
}

extension Task: CallHandle {}

/// Starts a call and waits for its answer. Cancelling the task cancels the call.
///
/// The closures name the isolation that they are to keep, and so do not leave the caller's actor first.
///
/// - Parameter start: Its call answers exactly once, also when it is cancelled.
func answer<Answer: Sendable>(
  isolation: isolated (any Actor)? = #isolation,
  of start: (@escaping @Sendable (Answer) -> Void) -> any CallHandle
) async -> Answer {
  let call = Lock<(any CallHandle)?>(nil)
  return await withTaskCancellationHandler {
    _ = isolation
    return await withCheckedContinuation { caller in
      let begun = start { caller.resume(returning: $0) }
      call.withLock { $0 = begun }
      // The cancellation may have come before there was a call.
      if Task.isCancelled { begun.cancel() }
    }
  } onCancel: {
    call.withLock { $0 }?.cancel()
  }
}
