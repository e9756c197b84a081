internal import CPosix

/// A TCP port, or a Unix socket at a path; freed when the last reference to it goes.
public final class Listener: Sendable {
  /// The port, chosen by the system when 0 was asked for; 0 at a path.
  public let port: UInt16
  public let descriptor: Descriptor
  /// nil for a port, or when another process made the socket.
  private let place: SocketPlace?

  /// For a socket that listens.
  init(_ descriptor: Descriptor, at place: SocketPlace?) throws(PosixError) {
    let bound = cposix_bound_port(descriptor.number)
    guard bound >= 0 else { throw PosixError(call: "getsockname") }
    (self.descriptor, self.place, port) = (descriptor, place, UInt16(truncatingIfNeeded: bound))
  }

  /// Takes a port of 127.0.0.1 and listens on it, unless `refusing`: then it only keeps others away, and connects are refused.
  ///
  /// - Parameter backlog: Connections that may wait to be accepted.
  public convenience init(
    port: UInt16 = 0, refusing: Bool = false, backlog: Int32 = 511
  ) throws(PosixError) {
    let descriptor = try Descriptor(owning: cposix_tcp_socket(), from: "socket")
    // Without a listener on it another process could take a reusable port.
    guard cposix_bind_loopback(descriptor.number, port, refusing ? 0 : 1) == 0 else {
      throw PosixError(call: "bind")
    }
    if !refusing {
      guard listen(descriptor.number, backlog) == 0 else { throw PosixError(call: "listen") }
    }
    try self.init(descriptor, at: nil)
  }

  /// Listens on a port of an IPv4 or IPv6 address; `EINVAL` when the text is neither.
  public convenience init(address: String, port: UInt16, backlog: Int32 = 511) throws(PosixError) {
    let descriptor = try unsafe Descriptor(owning: cposix_bound_tcp_socket(address, port), from: "bind")
    guard listen(descriptor.number, backlog) == 0 else { throw PosixError(call: "listen") }
    try self.init(descriptor, at: nil)
  }

  /// Makes the connections that it accepts from now on send small pieces at once, and give up a peer that acknowledges
  /// nothing for so many milliseconds.
  public func prepareForServer(lostAfter milliseconds: UInt32) {
    cposix_prepare_server_socket(descriptor.number, milliseconds)
  }

  /// Waits for the next connection.
  public func accept(unless stop: StopSignal? = nil) throws(PosixError) -> StreamSocket {
    while true {
      _ = try wait(for: descriptor.number, .reading, unless: stop)
      if let socket = try acceptNow() { return socket }
    }
  }

  /// Takes a connection that waits; nil when none does.
  public func acceptNow() throws(PosixError) -> StreamSocket? {
    let accepted = cposix_accept(descriptor.number)
    if accepted >= 0 { return StreamSocket(try Descriptor(owning: accepted, from: "accept")) }
    let error = PosixError(call: "accept")
    switch error.code {
    // The peer gave up before it was accepted, or a signal came: neither concerns the next connection.
    case EINTR, EAGAIN, ECONNABORTED: return nil
    default: throw error
    }
  }
}
