/// Hosts of which nothing is fetched: a name with all that end in it, or an address.
package struct DeniedHosts: Sendable {
  package let names: Set<String>

  /// - Parameter lines: One host each; empty ones and those that begin with `#` are none.
  package init(_ lines: some Sequence<String>) {
    names = Set(lines.filter { !$0.isEmpty && !$0.hasPrefix("#") }.map { $0.lowercased() })
  }

  /// - Parameter hostKey: Perhaps with a port.
  package func contains(_ hostKey: String) -> Bool {
    guard !names.isEmpty else { return false }
    let isAddress = hostKey.hasPrefix("[")
    var name = hostKey[...]
    if let colon = name.lastIndex(of: ":"), !name[colon...].contains("]") { name = name[..<colon] }
    if isAddress {
      return names.contains(String(name)) || names.contains(String(name.dropFirst().dropLast()))
    }
    while true {
      if names.contains(String(name)) { return true }
      guard let dot = name.firstIndex(of: ".") else { return false }
      name = name[name.index(after: dot)...]
    }
  }
}
