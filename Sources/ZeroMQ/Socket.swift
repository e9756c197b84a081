internal import CZeroMQ

public enum SocketKind: Sendable {
  case push
  case pull
  case pair
  case reply
}

/// What a socket would do at once.
public struct Readiness: OptionSet, Sendable {
  public let rawValue: Int32

  public init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  public static let toReceive = Readiness(rawValue: ZMQ_POLLIN)
  public static let toSend = Readiness(rawValue: ZMQ_POLLOUT)
}

/// A socket, closed when it goes out of scope. No call waits.
///
/// One thread at a time may use it, with a memory fence in between: it belongs to one actor.
@safe
public struct Socket: ~Copyable {
  private let handle: UnsafeMutableRawPointer
  private let context: Context

  public init(_ kind: SocketKind, in context: Context) throws(ZeroMQError) {
    let type =
      switch kind {
      case .push: ZMQ_PUSH
      case .pull: ZMQ_PULL
      case .pair: ZMQ_PAIR
      case .reply: ZMQ_REP
      }
    guard let handle = unsafe zmq_socket(context.handle, type) else {
      throw ZeroMQError(call: "zmq_socket")
    }
    unsafe self.handle = unsafe handle
    self.context = context
  }

  deinit {
    unsafe zmq_close(handle)
  }

  public func bind(_ endpoint: String) throws(ZeroMQError) {
    guard unsafe zmq_bind(handle, endpoint) == 0 else { throw ZeroMQError(call: "zmq_bind") }
  }

  /// Stops listening; the library does it in the background and tells the socket's monitor.
  public func unbind(_ endpoint: String) throws(ZeroMQError) {
    guard unsafe zmq_unbind(handle, endpoint) == 0 else { throw ZeroMQError(call: "zmq_unbind") }
  }

  /// Begins to connect; the library goes on trying in the background.
  public func connect(_ endpoint: String) throws(ZeroMQError) {
    guard unsafe zmq_connect(handle, endpoint) == 0 else { throw ZeroMQError(call: "zmq_connect") }
  }

  /// Stops trying, and breaks off what is there. What the socket holds for that end is dropped.
  public func disconnect(_ endpoint: String) throws(ZeroMQError) {
    guard unsafe zmq_disconnect(handle, endpoint) == 0 else { throw ZeroMQError(call: "zmq_disconnect") }
  }

  /// Sends one part; false when there is no room now, and it was not sent.
  public func send(_ bytes: [UInt8], hasMore: Bool = false) throws(ZeroMQError) -> Bool {
    let flags = hasMore ? ZMQ_DONTWAIT | ZMQ_SNDMORE : ZMQ_DONTWAIT
    while true {
      let sent = unsafe bytes.withUnsafeBytes { unsafe zmq_send(handle, $0.baseAddress, $0.count, flags) }
      if sent >= 0 { return true }
      let error = ZeroMQError(call: "zmq_send")
      switch error.code {
      case EINTR: continue
      case EAGAIN: return false
      default: throw error
      }
    }
  }

  /// Takes one part; nil when nothing is there now.
  public func receive() throws(ZeroMQError) -> Frame? {
    let frame = Frame()
    while unsafe zmq_msg_recv(&frame.message, handle, ZMQ_DONTWAIT) < 0 {
      let error = ZeroMQError(call: "zmq_msg_recv")
      switch error.code {
      case EINTR: continue
      case EAGAIN: return nil
      default: throw error
      }
    }
    return frame
  }
}

extension Socket {
  /// What can be done at once. Asking also does the socket's pending work, so it is the last thing before a wait.
  public func readiness() throws(ZeroMQError) -> Readiness {
    Readiness(rawValue: try number(of: ZMQ_EVENTS))
  }

  /// A descriptor that becomes readable when there is reason to ask for `readiness` again; it belongs to the socket.
  public func descriptor() throws(ZeroMQError) -> Int32 {
    try number(of: ZMQ_FD)
  }

  /// What it is bound to in fact, where the system chose a port.
  public func lastEndpoint() throws(ZeroMQError) -> String {
    var text = [UInt8](repeating: 0, count: 1_024)
    var size = text.count
    let status = unsafe text.withUnsafeMutableBytes {
      unsafe zmq_getsockopt(handle, ZMQ_LAST_ENDPOINT, $0.baseAddress, &size)
    }
    guard status == 0 else { throw ZeroMQError(call: "zmq_getsockopt") }
    return String(decoding: text.prefix(max(0, size - 1)), as: UTF8.self)
  }

  private func number(of option: Int32) throws(ZeroMQError) -> Int32 {
    var value: Int32 = 0
    var size = MemoryLayout<Int32>.size
    while unsafe zmq_getsockopt(handle, option, &value, &size) != 0 {
      let error = ZeroMQError(call: "zmq_getsockopt")
      guard error.code == EINTR else { throw error }
    }
    return value
  }

  /// Sets an option; before `bind` and `connect`, which read most of them.
  public func set(_ option: SocketOption) throws(ZeroMQError) {
    let status = unsafe option.value.withUnsafeBytes {
      unsafe zmq_setsockopt(handle, option.code, $0.baseAddress, $0.count)
    }
    guard status == 0 else { throw ZeroMQError(call: "zmq_setsockopt") }
  }

  /// Has the socket tell what happens to it to a pair socket that connects to `endpoint`, an `inproc` one.
  ///
  /// That one must be connected before anything happens: the library's own thread waits for it.
  public func startMonitor(_ events: LaneEvents, at endpoint: String) throws(ZeroMQError) {
    guard unsafe zmq_socket_monitor(handle, endpoint, events.rawValue) == 0 else {
      throw ZeroMQError(call: "zmq_socket_monitor")
    }
  }

  /// To be called before the pair socket at the other end is closed.
  public func stopMonitor() {
    unsafe zmq_socket_monitor(handle, nil, 0)
  }
}

/// A setting of a socket. Times are milliseconds.
public struct SocketOption: Sendable {
  let code: Int32
  /// Of a number, its bytes as they are in memory.
  let value: [UInt8]

  private init(_ code: Int32, _ value: [UInt8]) {
    (self.code, self.value) = (code, value)
  }

  private init(_ code: Int32, _ number: Int32) {
    self.init(code, unsafe withUnsafeBytes(of: number) { unsafe Array($0) })
  }

  /// How long what is unsent lives on after the socket.
  public static func linger(_ time: Int32) -> Self { Self(ZMQ_LINGER, time) }
  /// Messages that may wait in the socket for sending; 0 means any number.
  public static func sendHighWaterMark(_ count: Int32) -> Self { Self(ZMQ_SNDHWM, count) }
  /// Messages that may wait in the socket for a receiver; 0 means any number.
  public static func receiveHighWaterMark(_ count: Int32) -> Self { Self(ZMQ_RCVHWM, count) }
  /// The system's send buffer of each connection.
  public static func sendBuffer(_ bytes: Int32) -> Self { Self(ZMQ_SNDBUF, bytes) }
  /// The system's receive buffer of each connection.
  public static func receiveBuffer(_ bytes: Int32) -> Self { Self(ZMQ_RCVBUF, bytes) }
  /// A peer that sends a larger message is disconnected.
  public static func largestMessage(_ bytes: Int64) -> Self {
    Self(ZMQ_MAXMSGSIZE, unsafe withUnsafeBytes(of: bytes) { unsafe Array($0) })
  }
  /// Nothing is queued for a peer that is not connected.
  public static var onlyToConnectedPeers: Self { Self(ZMQ_IMMEDIATE, 1) }
  public static func reconnectInterval(_ time: Int32) -> Self { Self(ZMQ_RECONNECT_IVL, time) }
  public static func longestReconnectInterval(_ time: Int32) -> Self { Self(ZMQ_RECONNECT_IVL_MAX, time) }
  public static func handshakeLimit(_ time: Int32) -> Self { Self(ZMQ_HANDSHAKE_IVL, time) }
  public static func heartbeatInterval(_ time: Int32) -> Self { Self(ZMQ_HEARTBEAT_IVL, time) }
  public static func heartbeatTimeout(_ time: Int32) -> Self { Self(ZMQ_HEARTBEAT_TIMEOUT, time) }
  /// How long the peer waits for our next sign of life; above 65.5 s it wraps.
  public static func heartbeatLifetime(_ time: Int32) -> Self { Self(ZMQ_HEARTBEAT_TTL, time) }
  /// Connections that may wait to be accepted.
  public static func backlog(_ count: Int32) -> Self { Self(ZMQ_BACKLOG, count) }
  public static var allowsIPv6: Self { Self(ZMQ_IPV6, 1) }

  /// Clients must prove who they are.
  public static var isCurveServer: Self { Self(ZMQ_CURVE_SERVER, 1) }
  public static func curvePublicKey(_ key: CurveKey) -> Self { Self(ZMQ_CURVE_PUBLICKEY, key.bytes) }
  public static func curveSecretKey(_ key: CurveKey) -> Self { Self(ZMQ_CURVE_SECRETKEY, key.bytes) }
  /// The server that a client expects to meet.
  public static func curveServerKey(_ key: CurveKey) -> Self { Self(ZMQ_CURVE_SERVERKEY, key.bytes) }
  /// Connections are put before the context's authenticator under this name.
  public static func authenticationDomain(_ name: String) -> Self { Self(ZMQ_ZAP_DOMAIN, Array(name.utf8)) }
  /// Without an authenticator no client is let in.
  public static var requiresAuthenticator: Self { Self(ZMQ_ZAP_ENFORCE_DOMAIN, 1) }
}

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
