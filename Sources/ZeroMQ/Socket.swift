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
    Readiness(rawValue: try number(of: ZMQ_EVENTS, as: Int32(0)))
  }

  /// A descriptor that becomes readable when there is reason to ask for `readiness` again; it belongs to the socket.
  public func descriptor() throws(ZeroMQError) -> Int32 {
    try number(of: ZMQ_FD, as: Int32(0))
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

  private func number<Number: FixedWidthInteger>(
    of option: Int32, as start: Number
  ) throws(ZeroMQError) -> Number {
    var value = start
    var size = MemoryLayout<Number>.size
    while unsafe zmq_getsockopt(handle, option, &value, &size) != 0 {
      let error = ZeroMQError(call: "zmq_getsockopt")
      guard error.code == EINTR else { throw error }
    }
    return value
  }

  /// Sets an option; before `bind` and `connect`, which read most of them.
  public func set(_ option: SocketOption) throws(ZeroMQError) {
    let status: Int32
    switch option.value {
    case .number(var value):
      status = unsafe zmq_setsockopt(handle, option.code, &value, MemoryLayout<Int32>.size)
    case .wideNumber(var value):
      status = unsafe zmq_setsockopt(handle, option.code, &value, MemoryLayout<Int64>.size)
    case .bytes(let bytes):
      status = unsafe bytes.withUnsafeBytes {
        unsafe zmq_setsockopt(handle, option.code, $0.baseAddress, $0.count)
      }
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
