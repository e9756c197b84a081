internal import CPosix

/// One end of a connection; closed when the last reference to it goes.
public final class StreamSocket: Sendable {
  public let descriptor: Descriptor

  init(_ descriptor: Descriptor) {
    self.descriptor = descriptor
  }

  /// Connects to a port of 127.0.0.1.
  ///
  /// Throws `ETIMEDOUT` when the listener's queue is full for so many milliseconds, -1 being for ever.
  public static func connect(port: UInt16, milliseconds: Int32 = -1) throws(PosixError) -> StreamSocket {
    let descriptor = try Descriptor(owning: cposix_tcp_socket(), from: "socket")
    if cposix_connect_loopback(descriptor.number, port) != 0 {
      let error = PosixError(call: "connect")
      guard error.code == EINPROGRESS else { throw error }
      guard try wait(for: descriptor.number, .writing, milliseconds: milliseconds) else {
        throw PosixError(call: "connect", code: ETIMEDOUT)
      }
      let code = cposix_pending_error(descriptor.number)
      guard code == 0 else { throw PosixError(call: "connect", code: code) }
    }
    return StreamSocket(descriptor)
  }

  /// Waits for bytes; empty when the peer will send no more.
  ///
  /// Throws `ETIMEDOUT` after so many milliseconds, -1 being for ever.
  public func read(
    limit: Int = 16_384, unless stop: StopSignal? = nil, milliseconds: Int32 = -1
  ) throws(PosixError) -> [UInt8] {
    guard try wait(for: descriptor.number, .reading, unless: stop, milliseconds: milliseconds) else {
      throw PosixError(call: "read", code: ETIMEDOUT)
    }
    return try readChunk(descriptor.number, limit: limit)
  }

  /// Writes all bytes; a peer that is gone gives `EPIPE` or `ECONNRESET`, never a signal.
  ///
  /// Throws `ETIMEDOUT` when the peer takes nothing for so many milliseconds, -1 being for ever.
  public func write(
    _ bytes: [UInt8], unless stop: StopSignal? = nil, milliseconds: Int32 = -1
  ) throws(PosixError) {
    let number = descriptor.number
    try unsafe writeAll(bytes, to: number, "send", unless: stop, milliseconds: milliseconds) {
      unsafe cposix_send(number, $0, $1)
    }
  }

  /// Makes the coming close a reset.
  public func resetOnClose() {
    _ = cposix_reset_on_close(descriptor.number)
  }

  /// Tells the peer that nothing more will come; reading goes on.
  public func finishWriting() {
    _ = cposix_shutdown_writing(descriptor.number)
  }
}

/// Calls that never wait, for sockets that a `Poller` watches.
extension StreamSocket {
  public enum Received: Hashable, Sendable {
    case bytes([UInt8])
    /// Nothing has come yet.
    case nothing
    /// Nothing more will come.
    case end
  }

  /// Takes what has come.
  public func receiveNow(limit: Int) -> Received {
    var wouldWait = false
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: max(1, limit)) { buffer, initialized in
      let count = unsafe recv(descriptor.number, buffer.baseAddress, buffer.count, 0)
      wouldWait = count < 0 && [EAGAIN, EINTR].contains(cposix_errno())
      initialized = max(0, count)
    }
    return wouldWait ? .nothing : bytes.isEmpty ? .end : .bytes(bytes)
  }

  /// Sends as much as there is room for, from a place in the bytes on; nil when the peer is gone.
  public func sendNow(_ bytes: [UInt8], from start: Int) -> Int? {
    let count = unsafe bytes.withUnsafeBytes { buffer in
      let rest = unsafe buffer[start...]
      return unsafe cposix_send(
        descriptor.number, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
    }
    if count >= 0 { return count }
    return [EAGAIN, EINTR].contains(cposix_errno()) ? 0 : nil
  }

  /// Who is at the other end; nil for a Unix socket.
  public var peer: PeerConnection? { PeerConnection(descriptor: descriptor.number) }
}

/// A Unix datagram socket. Its name is a path, or behind `@` a name in the abstract namespace.
public final class DatagramSocket: Sendable {
  private let descriptor: Descriptor

  /// Receives what is sent to `name`.
  public init(receivingAt name: String) throws(PosixError) {
    descriptor = try Descriptor(owning: cposix_datagram_socket(), from: "socket")
    guard unsafe cposix_bind_local(descriptor.number, name) == 0 else { throw PosixError(call: "bind") }
  }

  /// Waits for one datagram; throws `ETIMEDOUT` after so many milliseconds, -1 being for ever.
  public func receive(limit: Int = 4_096, milliseconds: Int32 = -1) throws(PosixError) -> [UInt8] {
    guard try wait(for: descriptor.number, .reading, milliseconds: milliseconds) else {
      throw PosixError(call: "recv", code: ETIMEDOUT)
    }
    return try readChunk(descriptor.number, limit: limit)
  }
}

/// Sends datagrams to a Unix datagram socket. It stays connected, so that a process can go on sending that may not open a
/// socket any more.
public final class DatagramSender: Sendable {
  private let name: String
  private let connection: Lock<Descriptor?>

  /// - Parameter name: A path, or behind `@` a name in the abstract namespace. Nobody needs to receive there yet.
  public init(to name: String) {
    self.name = name
    connection = Lock(try? Self.connect(to: name))
  }

  /// Sends one datagram, and waits a second at most while its receiver has no room. Connects anew when the receiver was
  /// replaced.
  public func send(_ bytes: [UInt8]) throws(PosixError) {
    if let sender = connection.withLock({ $0 }) {
      do throws(PosixError) {
        return try Self.send(bytes, over: sender)
      } catch {
        guard [ECONNREFUSED, ENOTCONN, ECONNRESET].contains(error.code) else { throw error }
      }
    }
    let sender = try Self.connect(to: name)
    connection.withLock { $0 = sender }
    try Self.send(bytes, over: sender)
  }

  private static func connect(to name: String) throws(PosixError) -> Descriptor {
    let sender = try Descriptor(owning: cposix_datagram_socket(), from: "socket")
    guard unsafe cposix_connect_local(sender.number, name) == 0 else { throw PosixError(call: "connect") }
    return sender
  }

  private static func send(_ bytes: [UInt8], over sender: Descriptor) throws(PosixError) {
    while true {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe cposix_send(sender.number, buffer.baseAddress, buffer.count)
      }
      if count >= 0 { return }
      let error = PosixError(call: "send")
      if error.code != EINTR { throw error }
    }
  }
}
