/// How much a channel holds until it is received.
public enum TaskChannelCapacity: Hashable, Sendable, ExpressibleByIntegerLiteral {
  /// So many elements; senders wait while there are as many. With 0 each of them waits for its receiver.
  case limited(Int)
  /// The newest element only: an older one that was not received makes way, and senders never wait.
  case conflating
  /// As many as are sent. Senders never wait, so something else has to bound how many there are.
  case unbounded

  /// ``limited(_:)`` to this number.
  public init(integerLiteral count: Int) {
    self = .limited(count)
  }
}

/// Why a channel did not take an element, or has none to give.
public enum TaskChannelError: Error, Hashable, Sendable {
  /// `close()` was called: the channel takes no more.
  case closed
  /// `cancel()` was called: what was in the channel is gone.
  case cancelled
  /// The task that sends or receives was cancelled. The channel goes on for others.
  case interrupted
}

extension TaskChannelError: CancellationReporting {
  /// True unless the channel was closed.
  public var reportsCancellation: Bool { self != .closed }
}
