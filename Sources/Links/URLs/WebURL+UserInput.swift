extension WebURL {
  /// Parses what a person or a file gave: like a browser's address bar, but without guessing at searches.
  ///
  /// `example.org/x` and `localhost:8080` get `http://` put in front.
  public static func userInput(_ text: String) throws(LinkError) -> WebURL {
    let bytes = Array(Array(text.utf8).trimming { $0 == .space || (0x09...0x0D).contains($0) })
    guard !bytes.isEmpty else { throw .empty }
    for byte in bytes where byte == .carriageReturn || byte == .lineFeed || byte == 0 {
      throw .forbiddenCharacter
    }
    do throws(LinkError) {
      return try WebURL(bytes: bytes)
    } catch {
      let trimmed = Substring(String(decoding: bytes, as: UTF8.self)).utf8
      switch error {
      case .notAURL where looksLikeHost(trimmed), .unsupportedScheme where looksLikeHost(trimmed):
        return try WebURL(bytes: Array("http://".utf8) + bytes)
      default:
        throw error
      }
    }
  }

  /// Whether a text without a known scheme is `host[:port][/…]`: the host has a dot, or a port, or is
  /// localhost.
  private static func looksLikeHost(_ text: Substring.UTF8View) -> Bool {
    guard !text.contains(.space), !text.contains(.tab) else { return false }
    let authority = text.prefix { $0 != .slash && $0 != .backslash && $0 != .question && $0 != .hash }
    guard !authority.contains(.at) else { return false }
    if authority.first == .leftBracket {
      let address = authority.dropFirst().prefix { $0 != .rightBracket }
      return IPAddress(String(Substring(address))) != nil
    }
    let host = authority.prefix { $0 != .colon }
    let hasPort = host.endIndex < authority.endIndex
    if hasPort {
      let port = authority[host.endIndex...].dropFirst()
      guard !port.isEmpty, port.allSatisfy(\.isASCIIDigit) else { return false }
    }
    return isHostName(String(Substring(host)).lowercased(), hasPort: hasPort)
  }

  private static func isHostName(_ name: String, hasPort: Bool) -> Bool {
    guard let first = name.first, first != "." else { return false }
    if name == "localhost" { return true }
    if name.contains(".") { return true }
    return hasPort && !schemesOfNumbers.contains(name)
  }

  /// What follows these may be nothing but digits and is no port all the same.
  private static let schemesOfNumbers: Set<String> = [
    "callto", "data", "fax", "javascript", "sip", "sips", "skype", "sms", "tel",
  ]
}
