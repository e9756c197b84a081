internal import CCurl

/// Why a name yields no address: libcurl 7.88 does not tell, so it is asked again when it matters.
public enum NameLookup: Hashable, Sendable {
  /// The name has addresses now.
  case found
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
    if let list = unsafe found { unsafe freeaddrinfo(list) }
    return NameLookup(code: code)
  }

  init(code: CInt) {
    switch code {
    case 0: self = .found
    case EAI_NONAME, EAI_FAIL, halyard_no_data, halyard_no_address_family: self = .noSuchName
    default: self = unsafe .unanswered(String(cString: gai_strerror(code)))
    }
  }
}
