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
  unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST)) { text in
    guard let start = text.baseAddress,
      unsafe getnameinfo(
        entry.pointee.ai_addr, entry.pointee.ai_addrlen, start, socklen_t(text.count), nil, 0,
        halyard_numeric_host) == 0
    else { return "" }
    return unsafe String(cString: start)
  }
}
