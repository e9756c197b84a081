internal import CCurl

/// Why a name yields no address: libcurl 7.88 does not tell, so it is asked again when it matters.
public enum NameLookup: Hashable, Sendable {
  /// The name has these textual addresses now.
  case found([String])
  /// There is no such name, or it has no address.
  case noSuchName
  /// No answer could be had; a later attempt may get one. Carries the system's words.
  case unanswered(String)

  /// Blocks until the system's resolver has answered.
  public static func ask(for host: String) -> NameLookup {
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    let code = unsafe getaddrinfo(host, nil, &hints, &found)
    defer { if let list = unsafe found { unsafe freeaddrinfo(list) } }
    return NameLookup(code: code, addresses: unsafe texts(of: found))
  }

  init(code: CInt, addresses: [String]) {
    switch code {
    case 0: self = .found(addresses)
    case EAI_NONAME, halyard_no_data, halyard_no_address_family: self = .noSuchName
    default: self = unsafe .unanswered(String(cString: gai_strerror(code)))
    }
  }
}

/// What cannot be written as text becomes an address that no rule allows.
private func texts(of first: UnsafeMutablePointer<addrinfo>?) -> [String] {
  var texts: [String] = []
  var next = unsafe first
  while let entry = unsafe next {
    unsafe texts.append(text(of: entry))
    unsafe next = entry.pointee.ai_next
  }
  return texts
}

private func text(of entry: UnsafeMutablePointer<addrinfo>) -> String {
  unsafe writtenText(room: NI_MAXHOST) { start, room in
    unsafe getnameinfo(
      entry.pointee.ai_addr, entry.pointee.ai_addrlen, start, room, nil, 0, halyard_numeric_host) == 0
  } ?? ""
}

/// The text that a call writes into a buffer of its size; nil when the call fails.
func writtenText(room: CInt, _ call: (UnsafeMutablePointer<CChar>, socklen_t) -> Bool) -> String? {
  unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(room)) { buffer in
    guard let start = buffer.baseAddress, unsafe call(start, socklen_t(room)) else { return nil }
    return unsafe String(cString: start)
  }
}

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
    let text = unsafe writtenText(room: INET6_ADDRSTRLEN) {
      unsafe halyard_socket_name(number, &local, &remote, $0, $1) != 0
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
