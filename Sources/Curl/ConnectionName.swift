internal import CCurl

/// What tells a TCP connection from all others of this machine that lead to the same peer.
public struct ConnectionName: Hashable, Sendable {
  /// The peer's, as text.
  public let address: String
  public let port: UInt16
  public let localPort: UInt16

  public init(address: String, port: UInt16, localPort: UInt16) {
    (self.address, self.port, self.localPort) = (address, port, localPort)
  }

  /// nil when that is no connected socket.
  public init?(ofSocket number: Int32) {
    var (local, remote): (UInt16, UInt16) = (0, 0)
    let text = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
      guard let start = text.baseAddress,
        unsafe halyard_socket_name(number, &local, &remote, start, socklen_t(text.count)) != 0
      else { return String?.none }
      return unsafe String(cString: start)
    }
    guard let text else { return nil }
    self.init(address: text, port: remote, localPort: local)
  }
}

/// What this machine's kernel tells about sockets and their means.
public enum SocketFacts {
  /// Bytes that a TCP socket has received since it was connected, read or not; nil when it is none.
  public static func receivedBytes(_ socket: Int32) -> Int64? {
    let count = halyard_received_bytes(socket)
    return count < 0 ? nil : count
  }

  /// Whether a failure with this system error is this machine's own: no descriptors, memory, buffers or ports left.
  public static func isOwnShortage(_ error: Int32) -> Bool { halyard_is_own_shortage(Int(error)) != 0 }

  /// Whether no descriptor is left now.
  public static var lacksDescriptors: Bool { halyard_lacks_descriptors() != 0 }

  /// What the system says to a process that has too many of them open.
  public static var tooManyOpenFiles: String { text(of: EMFILE) }

  /// The system's words for an error.
  public static func text(of error: Int32) -> String {
    unsafe strerror(error).map { unsafe String(cString: $0) } ?? "error \(error)"
  }
}
