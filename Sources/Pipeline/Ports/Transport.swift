/// Why a burst could not be sent or received.
public enum TransportError: Error, Hashable, Sendable {
  /// The other side, or this one, is gone.
  case closed(Address)
  /// Nobody is bound there.
  case unreachable(Address)
  /// Somebody is bound there already.
  case addressInUse(Address)
}

/// The receiving end that every role has one of.
public protocol Inbox: Sendable {
  var address: Address { get }

  /// Waits for messages and takes up to `limit` of them in one burst. Returns an empty burst at `moment`; throws
  /// `CancellationError` when the task is cancelled, `TransportError.closed` after `close`.
  func receive(atMost limit: Int, until moment: Moment?) async throws -> [Envelope]

  func close() async
}

/// The sending end of a lane to one receiver.
public protocol Outlet: Sendable {
  /// Returns when the transport has taken the whole burst, in order; suspends while the receiver is full.
  func send(_ burst: [Envelope]) async throws

  func close() async
}

/// The port to the message plane.
public protocol Transport: Sendable {
  func bind(_ address: Address) async throws -> any Inbox
  func connect(to address: Address) async throws -> any Outlet
}
