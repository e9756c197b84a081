/// The names of SwiftNIO that are easily taken twice.
public protocol Channel {
  /// Whether it is open.
  var isActive: Bool { get }
}

/// What SwiftNIO's channels fail with.
public enum ChannelError: Error {
  case alreadyClosed
}
