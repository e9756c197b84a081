package import Links

/// Hosts of which nothing is fetched: a name with all that end in it, or an address.
package struct DeniedHosts: Sendable {
  /// A line that names no host.
  package struct Fault: Error, Hashable, Sendable {
    package var text: String
  }

  package let names: Set<String>

  /// - Parameter lines: One host each; empty ones and those that begin with `#` are none.
  package init(_ lines: some Sequence<String>) throws(Fault) {
    var names: Set<String> = []
    for line in lines where !line.isEmpty && !line.hasPrefix("#") { names.insert(try Self.name(in: line)) }
    self.names = names
  }

  /// As URLs have it.
  private static func name(in line: String) throws(Fault) -> String {
    if let address = IPAddress(line) { return "\(Host.address(address))" }
    let name = line.hasPrefix(".") ? line.dropFirst() : line[...]
    // A usual port would not show in the URL.
    guard name.hasPrefix("[") || !name.contains(":"), let url = try? WebURL("http://\(name)/"),
      url.path == "/",
      url.query == nil, url.fragment == nil, url.hostKey == "\(url.host)", url.credentials == nil
    else { throw Fault(text: line) }
    return withoutFinalDot("\(url.host)")
  }

  private static func withoutFinalDot(_ name: String) -> String {
    name.hasSuffix(".") ? String(name.dropLast()) : name
  }

  package func contains(_ host: Host) -> Bool {
    var name = Self.withoutFinalDot("\(host)")[...]
    while !names.contains(String(name)) {
      guard case .domain = host, let dot = name.firstIndex(of: ".") else { return false }
      name = name[name.index(after: dot)...]
    }
    return true
  }
}
