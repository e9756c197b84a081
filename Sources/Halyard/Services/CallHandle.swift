/// A call that can be ended early.
public protocol CallHandle: Sendable {
  /// Ends the call; does nothing when it is over. May be called at any time, from any thread.
  func cancel()
}

extension Task: CallHandle {}
