/// A call that can be ended early.
public protocol Cancellable: Sendable {
  /// Ends the call; does nothing when it is over. May be called at any time, from any thread.
  func cancel()
}

extension Task: Cancellable {}

/// The same where another module's protocol of that name is imported too.
typealias Cancellation = Cancellable
