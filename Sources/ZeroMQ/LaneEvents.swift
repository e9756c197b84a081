internal import CZeroMQ

/// What a socket's monitor tells.
public struct LaneEvents: OptionSet, Hashable, Sendable {
  public let rawValue: Int32

  public init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// A peer's connection came in.
  public static let accepted = LaneEvents(rawValue: ZMQ_EVENT_ACCEPTED)
  /// A peer is there, and it speaks the protocol.
  public static let handshakeSucceeded = LaneEvents(rawValue: ZMQ_EVENT_HANDSHAKE_SUCCEEDED)
  /// The peer speaks something else, and the library will not try again.
  public static let protocolRefused = LaneEvents(rawValue: ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL)
  /// The peer does not let us in, and the library will not try again.
  public static let authenticationRefused = LaneEvents(rawValue: ZMQ_EVENT_HANDSHAKE_FAILED_AUTH)
  public static let disconnected = LaneEvents(rawValue: ZMQ_EVENT_DISCONNECTED)
  /// The address is free again.
  public static let closed = LaneEvents(rawValue: ZMQ_EVENT_CLOSED)
  public static let closeFailed = LaneEvents(rawValue: ZMQ_EVENT_CLOSE_FAILED)
}

/// One event, and the number that comes with it: the connection's descriptor for `accepted` and `disconnected`.
public struct LaneEvent: Hashable, Sendable {
  public let kind: LaneEvents
  public let value: Int32
}

extension Socket {
  /// The next event at the pair socket of a monitor; nil when there is none now.
  public func receiveEvent() throws(ZeroMQError) -> LaneEvent? {
    guard let first = try receive() else { return nil }
    var hasMore = first.hasMore
    while hasMore, let part = try receive() { hasMore = part.hasMore }
    // Six bytes in the machine's order: the event (u16) and a value (u32); the address is the second part.
    let bytes = first.bytes
    guard bytes.count >= 6 else { return LaneEvent(kind: [], value: 0) }
    let value = bytes[2..<6].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return LaneEvent(
      kind: LaneEvents(rawValue: Int32(bytes[0]) | Int32(bytes[1]) << 8), value: Int32(bitPattern: value))
  }
}
