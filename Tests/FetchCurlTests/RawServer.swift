import Glibc
import Synchronization

/// A loopback server that says exactly the bytes a test wants, on one thread per connection.
final class RawServer: Sendable {
  typealias Handler = @Sendable (Peer) -> Void

  let port: UInt16
  private let listener: CInt
  private let open = Mutex<Set<CInt>>([])
  private let accepted = Atomic(0)

  /// `backlog` -1 means a generous one.
  init(backlog: CInt = -1, _ handler: @escaping Handler) {
    (listener, port) = listeningSocket(backlog: backlog < 0 ? 512 : backlog)
    startThread { [self] in acceptAll(handler) }
  }

  /// A server that takes connections but never looks at them.
  init(unattendedWithBacklog backlog: CInt) {
    (listener, port) = listeningSocket(backlog: backlog)
  }

  var connectionCount: Int { accepted.load(ordering: .sequentiallyConsistent) }

  var url: String { "http://127.0.0.1:\(port)/" }

  func stop() {
    shutdown(listener, CInt(SHUT_RDWR))
    open.withLock { descriptors in
      for descriptor in descriptors { shutdown(descriptor, CInt(SHUT_RDWR)) }
    }
  }

  private func acceptAll(_ handler: @escaping Handler) {
    while case let descriptor = accept(listener, nil, nil), descriptor >= 0 {
      accepted.add(1, ordering: .sequentiallyConsistent)
      _ = open.withLock { $0.insert(descriptor) }
      startThread { [self] in
        handler(Peer(descriptor: descriptor))
        _ = open.withLock { $0.remove(descriptor) }
        close(descriptor)
      }
    }
    close(listener)
  }
}

/// The server's end of one connection.
struct Peer: Sendable {
  let descriptor: CInt

  /// The next request's head; nil when the client has gone.
  func readRequest() -> String? {
    var head: [UInt8] = []
    while !head.suffix(4).elementsEqual([13, 10, 13, 10]) {
      var byte: UInt8 = 0
      guard unsafe recv(descriptor, &byte, 1, 0) == 1 else { return nil }
      head.append(byte)
    }
    return String(decoding: head, as: UTF8.self)
  }

  /// False when the client has gone.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = unsafe bytes[sent...].withUnsafeBytes {
        unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  @discardableResult
  func send(_ text: String) -> Bool {
    send([UInt8](text.utf8))
  }

  /// Waits until the client hangs up, at most this long; true when it has.
  @discardableResult
  func awaitHangUp(milliseconds: CInt = 10_000) -> Bool {
    var watched = pollfd(fd: descriptor, events: peerHangUp, revents: 0)
    return unsafe poll(&watched, 1, milliseconds) != 0
  }

  /// Makes the coming close a reset.
  func resetOnClose() {
    var setting = linger(l_onoff: 1, l_linger: 0)
    unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &setting, socklen_t(MemoryLayout<linger>.size))
  }
}

/// A port on which nothing listens.
func unusedPort() -> UInt16 {
  let (descriptor, port) = listeningSocket(backlog: 1)
  close(descriptor)
  return port
}

/// Connects and stays connected until the process ends or the server closes.
func occupy(port: UInt16) {
  let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_NONBLOCK.rawValue), 0)
  var address = loopback(port: port)
  let size = socklen_t(MemoryLayout<sockaddr_in>.size)
  _ = unsafe withUnsafePointer(to: &address) {
    unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe connect(descriptor, $0, size) }
  }
}

private func loopback(port: UInt16) -> sockaddr_in {
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = port.bigEndian
  address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
  return address
}

private func listeningSocket(backlog: CInt) -> (descriptor: CInt, port: UInt16) {
  let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
  var address = loopback(port: 0)
  var size = socklen_t(MemoryLayout<sockaddr_in>.size)
  unsafe withUnsafeMutablePointer(to: &address) {
    unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
      guard unsafe bind(descriptor, pointer, size) == 0, listen(descriptor, backlog) == 0,
        unsafe getsockname(descriptor, pointer, &size) == 0
      else { fatalError("no loopback socket: errno \(errno)") }
    }
  }
  return (descriptor, UInt16(bigEndian: address.sin_port))
}

private final class Work: Sendable {
  let run: @Sendable () -> Void

  init(run: @escaping @Sendable () -> Void) {
    self.run = run
  }
}

private func startThread(_ body: @escaping @Sendable () -> Void) {
  let work = unsafe Unmanaged.passRetained(Work(run: body)).toOpaque()
  var thread = pthread_t()
  let code = unsafe pthread_create(
    &thread, nil,
    { pointer in
      guard let pointer = unsafe pointer else { return nil }
      unsafe Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().run()
      return nil
    }, work)
  guard code == 0 else { fatalError("no thread: \(code)") }
  pthread_detach(thread)
}

/// Linux's POLLRDHUP, which the C module does not carry over.
private let peerHangUp: Int16 = 0x2000
