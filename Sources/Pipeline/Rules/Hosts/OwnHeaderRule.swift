import HTTPMessages

/// Which headers and cookies a user may have sent to a link's own site.
public enum OwnHeaderRule {
  /// What would break the exchange itself.
  private static let reserved: Set<String> = [
    "accept-encoding", "connection", "content-length", "expect", "host", "keep-alive", "te", "trailer",
    "transfer-encoding", "upgrade",
  ]

  /// Whether only the exchange itself may set a header of this name.
  public static func isReserved(_ name: String) -> Bool { reserved.contains(name.lowercased()) }

  /// Whether this can be the name of a header or a cookie: a token (RFC 9110, section 5.6.2).
  public static func isToken(_ name: some StringProtocol) -> Bool {
    !name.isEmpty && name.utf8.allSatisfy(\.isTokenByte)
  }

  /// Whether a text has no control characters: line ends would add headers of their own.
  public static func isOneLine(_ text: String) -> Bool {
    text.utf8.allSatisfy(\.isValueByte)
  }

  /// A header as users write it, `NAME: VALUE`; nil when it cannot be sent.
  public static func field(_ text: String) -> HeaderField? {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let (name, value) = (text[..<colon], text[text.index(after: colon)...].drop { $0 == " " })
    guard isToken(name), isOneLine(String(value)), !isReserved(String(name)) else { return nil }
    return HeaderField(String(name), String(value))
  }
}
