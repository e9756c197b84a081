import HTTPMessages

/// Which hosts something is for: one by its name, or all sub-domains of a name.
public struct HostPattern: Hashable, Sendable, CustomStringConvertible {
  /// As URLs have it: lower case and ASCII, IPv6 in brackets.
  public var name: String
  /// For `a.NAME` and `b.a.NAME`, and not for the name itself.
  public var coversSubdomains: Bool

  public init(_ name: String, coversSubdomains: Bool = false) {
    (self.name, self.coversSubdomains) = (name, coversSubdomains)
  }

  public var description: String { coversSubdomains ? "*.\(name)" : name }
}

/// Values for some hosts, on all their ports. The most specific pattern wins: a name before its parent's sub-domains,
/// and these before those of a shorter name.
public struct HostTable<Value: Sendable>: Sendable {
  private var values: [HostPattern: Value] = [:]

  public init() {}

  public var isEmpty: Bool { values.isEmpty }

  public subscript(pattern: HostPattern) -> Value? {
    get { values[pattern] }
    set { values[pattern] = newValue }
  }

  /// - Parameter key: The host as it stands in a URL, with or without a port.
  public func value(host key: String) -> Value? {
    guard !isEmpty else { return nil }
    var rest = Self.withoutPort(key)
    if let value = values[HostPattern(String(rest))] { return value }
    while let dot = rest.firstIndex(of: ".") {
      rest = rest[rest.index(after: dot)...]
      if let value = values[HostPattern(String(rest), coversSubdomains: true)] { return value }
    }
    return nil
  }

  private static func withoutPort(_ key: String) -> Substring {
    guard let colon = key.utf8.lastIndex(of: UInt8(ascii: ":")), key.utf8.last != UInt8(ascii: "]") else {
      return key[...]
    }
    return key[..<colon]
  }
}

extension HostTable: Equatable where Value: Equatable {}

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
