/// The names that a server answers to. In DNS rebinding, another site's name is made to resolve to this server, and its
/// pages send that name as `Host`: requests with unknown names are refused.
public struct HostRule: Sendable {
  private let names: Set<String>

  /// - Parameters:
  ///   - address: Where the server listens. `0.0.0.0` and `::` are not names.
  ///   - names: Others it is known by, without a port.
  public init(listeningAt address: String? = nil, names: [String] = []) {
    let own = address.map { $0.contains(":") && !$0.hasPrefix("[") ? "[\($0)]" : $0 }
    let all = ["localhost", "127.0.0.1", "[::1]"] + [own].compactMap(\.self) + names
    self.names = Set(all.map { $0.lowercased() }).subtracting(["0.0.0.0", "[::]"])
  }

  /// - Parameter host: The field's value, with a port or without; nil in HTTP/1.0.
  public func allows(_ host: String?) -> Bool {
    guard let text = host?.lowercased() else { return false }
    guard let colon = text.lastIndex(of: ":"), !text[colon...].contains("]") else {
      return names.contains(text)
    }
    return names.contains(String(text[..<colon]))
  }
}
