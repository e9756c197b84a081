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

/// The path of a Unix socket, removed when the socket is closed.
final class SocketPlace: Sendable {
  private let path: String
  /// When two servers start at once, keeps each from taking the other for dead.
  private let claim: FileClaim

  private init(path: String, claim: FileClaim) {
    (self.path, self.claim) = (path, claim)
  }

  /// Removes a socket that a dead server left. Throws `EADDRINUSE` if a server listens there, and `EEXIST` if the path is
  /// anything but a socket of this user.
  static func free(path: String) throws(PosixError) -> SocketPlace {
    let claim: FileClaim
    do throws(FileClaim.Refusal) {
      claim = try FileClaim(path: "\(path).lock")
    } catch {
      switch error {
      case .held: throw PosixError(call: "bind", code: EADDRINUSE)
      case .distrusted: throw PosixError(call: "bind", code: EEXIST)
      case .failed(let cause): throw cause
      }
    }
    switch unsafe cposix_is_own_socket(path) {
    case 0: break
    case 1 where isDead(path): _ = removeFile(path: path)
    case 1: throw PosixError(call: "bind", code: EADDRINUSE)
    default: throw PosixError(call: "bind", code: EEXIST)
    }
    return SocketPlace(path: path, claim: claim)
  }

  private static func isDead(_ path: String) -> Bool {
    guard let other = try? Descriptor(owning: cposix_local_stream_socket(), from: "socket"),
      unsafe cposix_connect_local(other.number, path) != 0
    else { return false }
    return PosixError(call: "connect").isRefused
  }

  deinit {
    _ = removeFile(path: path)
  }
}

extension Listener {
  /// Listens at a path of the file system, which must begin with `/`.
  ///
  /// - Parameter mode: Who may connect, such as 0o660.
  public convenience init(path: String, mode: UInt32, backlog: Int32 = 511) throws(PosixError) {
    let place = try SocketPlace.free(path: path)
    let descriptor = try Descriptor(owning: cposix_local_stream_socket(), from: "socket")
    guard unsafe cposix_bind_local(descriptor.number, path) == 0 else { throw PosixError(call: "bind") }
    // No one can connect before it listens.
    guard unsafe chmod(path, mode_t(mode)) == 0 else { throw PosixError(call: "chmod") }
    guard listen(descriptor.number, backlog) == 0 else { throw PosixError(call: "listen") }
    try self.init(descriptor, at: place)
  }

  /// The sockets that systemd opened for this process, by `LISTEN_FDS` and `LISTEN_PID`; empty without them.
  ///
  /// - Parameter first: The number of the first one.
  public static func inherited(
    variables: [String: String] = environmentVariables(), first: Int32 = 3
  ) throws(PosixError) -> [Listener] {
    guard let process = variables["LISTEN_PID"].flatMap({ Int32($0) }), process == getpid(),
      let count = variables["LISTEN_FDS"].flatMap({ Int32($0) }), 1...64 ~= count
    else { return [] }
    var listeners: [Listener] = []
    for number in first..<first + count {
      let descriptor = try Descriptor(owning: cposix_take_listener(number), from: "LISTEN_FDS")
      listeners.append(try Listener(descriptor, at: nil))
    }
    return listeners
  }
}

/// A TCP connection that a library accepted and closes by itself: its descriptor may lead elsewhere at any time.
public struct PeerConnection: Hashable, Sendable {
  public let descriptor: Int32
  private let high: UInt64
  private let low: UInt64
  private let port: UInt16

  /// nil for what is no TCP connection, any more or yet.
  public init?(descriptor: Int32) {
    var (high, low, port): (UInt64, UInt64, UInt16) = (0, 0, 0)
    guard unsafe cposix_peer(descriptor, &high, &low, &port) == 0 else { return nil }
    self.init(descriptor: descriptor, high: high, low: low, port: port)
  }

  init(descriptor: Int32, high: UInt64, low: UInt64, port: UInt16) {
    (self.descriptor, self.high, self.low, self.port) = (descriptor, high, low, port)
  }

  /// The peer's address, or what one of IPv6 shares with others that its owner has.
  public var network: [UInt64] { high == 0 ? [high, low] : [high] }

  /// The peer's address, as people read it.
  public var host: String {
    if high == 0, low >> 32 == 0xFFFF {
      return [24, 16, 8, 0].map { "\(UInt8(truncatingIfNeeded: low >> $0))" }.joined(separator: ".")
    }
    let groups = [high, low].flatMap { half in [48, 32, 16, 0].map { UInt16(truncatingIfNeeded: half >> $0) }
    }
    return groups.map { String($0, radix: 16) }.joined(separator: ":")
  }

  /// Bytes of ours that the peer has; 0 when the connection is gone.
  public var acknowledgedBytes: UInt64 { isThere ? cposix_acknowledged_bytes(descriptor) : 0 }

  /// Ends it, and leaves it to the library to close it.
  public func cut() {
    if isThere { _ = cposix_shut_down(descriptor) }
  }

  /// The descriptor still leads to this peer.
  public var isThere: Bool { PeerConnection(descriptor: descriptor) == self }
}
