package import Links

/// Hosts of which nothing is fetched: a name with all that end in it, or an address.
package struct DeniedHosts: Sendable {
  package let names: Set<String>

  /// - Parameter lines: One host each; empty ones and those that begin with `#` are none.
  package init(_ lines: some Sequence<String>) {
    names = Set(
      lines.filter { !$0.isEmpty && !$0.hasPrefix("#") }.map { line in
        IPAddress(line).map { "\(Host.address($0))" } ?? line.lowercased()
      })
  }

  package func contains(_ host: Host) -> Bool {
    var name = "\(host)"[...]
    while !names.contains(String(name)) {
      guard case .domain = host, let dot = name.firstIndex(of: ".") else { return false }
      name = name[name.index(after: dot)...]
    }
    return true
  }
}
