/// Addresses that may be talked to though they are special ones, at all their ports or at one.
public struct AllowedAddress: Hashable, Sendable, CustomStringConvertible {
  let range: AddressRange
  /// nil for every port.
  let port: UInt16?

  /// Reads an address or a range in CIDR form, with a port behind it or without: `127.0.0.1`, `127.0.0.1:8080`, `::1`,
  /// `[::1]:8080`, `10.0.0.0/8`, `10.0.0.0/8:8080`, `fd00::/8`, `[fd00::/8]:8080`.
  public init(_ text: String) throws(LinkError) {
    guard let (address, portText) = Self.parts(of: text), let range = try? AddressRange(cidr: address) else {
      throw .invalidAddressRange(text)
    }
    guard let portText else {
      (self.range, port) = (range, nil)
      return
    }
    guard (1...5).contains(portText.utf8.count), portText.utf8.allSatisfy(\.isASCIIDigit),
      let port = UInt16(portText), port > 0
    else { throw .invalidAddressRange(text) }
    (self.range, self.port) = (range, port)
  }

  /// A colon belongs to an IPv6 address, unless it stands behind brackets or behind the length of a prefix.
  private static func parts(of text: String) -> (address: String, port: Substring?)? {
    if text.utf8.first == .leftBracket {
      let inner = text.dropFirst()
      guard let end = inner.firstIndex(of: "]"), inner[..<end].contains(":") else { return nil }
      let rest = inner[inner.index(after: end)...]
      guard !rest.isEmpty else { return (String(inner[..<end]), nil) }
      guard rest.first == ":" else { return nil }
      return (String(inner[..<end]), rest.dropFirst())
    }
    let isRange = text.contains("/")
    guard let colon = text.lastIndex(of: ":") else { return (text, nil) }
    let (before, after) = (text[..<colon], text[text.index(after: colon)...])
    guard isRange ? !after.contains("/") : !before.contains(":") else { return (text, nil) }
    return (String(before), after)
  }

  func contains(_ address: IPAddress, port: UInt16) -> Bool {
    (self.port ?? port) == port && range.contains(address)
  }

  public var description: String {
    guard let port else { return range.description }
    return range.first.isV4 ? "\(range):\(port)" : "[\(range)]:\(port)"
  }
}
