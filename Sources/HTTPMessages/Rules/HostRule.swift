/// Which names this server answers to. A page of another site whose name was made to lead here (DNS rebinding) sends that
/// name as `Host`, so everything else gets 403.
public struct HostRule: Sendable {
  private let names: Set<String>

  /// - Parameters:
  ///   - address: Where the server listens; one that stands for all addresses is no name.
  ///   - names: Others it is known by, without a port.
  public init(listeningAt address: String? = nil, names: [String] = []) {
    let own = address.map { $0.contains(":") && !$0.hasPrefix("[") ? "[\($0)]" : $0 }
    let all = ["localhost", "127.0.0.1", "[::1]"] + [own].compactMap(\.self) + names
    self.names = Set(all.map { $0.lowercased() }).subtracting(["0.0.0.0", "[::]"])
  }

  /// - Parameter host: The field's value, with a port or without; nil in HTTP/1.0.
  public func allows(_ host: String?) -> Bool {
    guard let host else { return false }
    return names.contains(hostName(of: host))
  }
}

/// A host without its port, in lower case.
func hostName(of host: String) -> String {
  let text = host.lowercased()
  guard let colon = text.lastIndex(of: ":"), !text[colon...].contains("]") else { return text }
  return String(text[..<colon])
}
