internal import CPosix

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
