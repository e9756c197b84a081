/// The URL standard's host parser for schemes that need a host.
enum HostParser {
  /// Appends the host as it is serialised; returns whether it is an address.
  static func append(_ host: Span<UInt8>, to bytes: inout [UInt8]) throws(HostFault) -> Bool {
    guard !host.isEmpty else { throw .missing }
    guard host[0] != .leftBracket else {
      try appendIPv6(host, to: &bytes)
      return true
    }
    let start = bytes.count
    if !appendPlainDomain(host, to: &bytes) {
      bytes.removeSubrange(start...)
      bytes.append(contentsOf: try DomainName.ascii(percentDecoded(host)))
      guard start < bytes.count else { throw .missing }
    }
    guard let address = try addressMeant(by: bytes.span.extracting(start...)) else { return false }
    bytes.removeSubrange(start...)
    bytes.append(contentsOf: address.description.utf8)
    return true
  }

  /// The IPv4 address that a name ending in a number stands for; nil for a good domain name.
  private static func addressMeant(by name: Span<UInt8>) throws(HostFault) -> IPAddress? {
    guard IPv4Number.isClaimed(by: name) else { return nil }
    guard let address = IPv4Number.parse(name) else { throw .invalidIPv4 }
    return address
  }

  private static func appendIPv6(_ host: Span<UInt8>, to bytes: inout [UInt8]) throws(HostFault) {
    let last = host.count - 1
    guard last > 0, host[last] == .rightBracket,
      let address = IPAddress(v6Text: host.extracting(1..<last))
    else { throw .invalidIPv6 }
    bytes.append(.leftBracket)
    bytes.append(contentsOf: address.description.utf8)
    bytes.append(.rightBracket)
  }

  /// Appends an ordinary ASCII name in lower case; false when the name needs more work or has faults.
  private static func appendPlainDomain(_ host: Span<UInt8>, to bytes: inout [UInt8]) -> Bool {
    let plain = ByteSet.domain
    for index in host.indices {
      let byte = host[index]
      guard plain.contains(byte) else { return false }
      bytes.append(byte.asciiLowercased)
    }
    return true
  }
}
