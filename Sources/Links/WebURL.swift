/// A parsed http or https URL, as the URL standard's parser sees it.
///
/// It is kept in its serialised form, so showing it or handing it to an HTTP client costs nothing.
public struct WebURL: Hashable, Sendable {
  /// ASCII only, without userinfo.
  let text: String
  /// `user:password`, `user` or `:password`, percent-encoded; mostly empty.
  let userinfo: String
  let layout: Layout

  /// Where the parts stand in the text, as offsets of UTF-8 bytes.
  struct Layout: Sendable {
    var scheme = Scheme.http
    var hostIsAddress = false
    var port: UInt16?
    var hostEnd = 0
    var pathStart = 0
    var pathEnd = 0
    var queryEnd = 0

    var hostStart: Int {
      switch scheme {
      case .http: 7
      case .https: 8
      }
    }
  }

  public static func == (left: WebURL, right: WebURL) -> Bool {
    left.text == right.text && left.userinfo == right.userinfo
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(text)
    hasher.combine(userinfo)
  }

  func slice(_ start: Int, _ end: Int) -> String {
    String(Substring(text.utf8.prefix(end).dropFirst(start)))
  }
}

extension WebURL {
  public var scheme: Scheme { layout.scheme }

  public var host: Host {
    let name = slice(layout.hostStart, layout.hostEnd)
    guard layout.hostIsAddress, let address = IPAddress(bracketed: name) else { return .domain(name) }
    return .address(address)
  }

  /// Nil when it is the scheme's default.
  public var port: UInt16? { layout.port }

  /// The port to connect to.
  public var effectivePort: UInt16 { layout.port ?? layout.scheme.defaultPort }

  /// Percent-encoded, never empty: it starts with a slash.
  public var path: String { slice(layout.pathStart, layout.pathEnd) }

  /// Percent-encoded, without its question mark; nil when there is none, which differs from an empty one.
  public var query: String? {
    layout.queryEnd > layout.pathEnd ? slice(layout.pathEnd + 1, layout.queryEnd) : nil
  }

  /// Percent-encoded, without its hash; nil when there is none, which differs from an empty one.
  public var fragment: String? {
    let end = text.utf8.count
    return end > layout.queryEnd ? slice(layout.queryEnd + 1, end) : nil
  }

  /// Percent-encoded; empty when there is none.
  public var username: String {
    String(Substring(userinfo.utf8.prefix { $0 != .colon }))
  }

  /// Percent-encoded; empty when there is none.
  public var password: String {
    String(Substring(userinfo.utf8.drop { $0 != .colon }.dropFirst()))
  }

  /// Username and password for HTTP Basic authentication, percent-decoded; nil when the URL has neither.
  public var credentials: (username: String, password: String)? {
    guard !userinfo.isEmpty else { return nil }
    func decoded(_ part: String) -> String {
      String(decoding: percentDecoded(part.utf8Span.span), as: UTF8.self)
    }
    return (decoded(username), decoded(password))
  }

  /// The whole URL with its fragment, but never its userinfo: what rows and logs show.
  public var href: String { text }

  /// The URL without userinfo and fragment: what the HTTP client gets.
  public var requestURL: String { slice(0, layout.queryEnd) }

  /// What the HTTP client gets, as the value of a parameter in another URL's query.
  public var asQueryValue: String { percentEncoded(requestURL) }

  public var origin: Origin { Origin(scheme: scheme, host: host, port: effectivePort) }

  /// Host and, when it is not the default, port: the key of everything that is counted per host.
  public var hostKey: String { slice(layout.hostStart, layout.pathStart) }

  /// The same URL with another fragment, or none; the fragment is percent-encoded where it must be.
  public func withFragment(_ fragment: String?) -> WebURL {
    var bytes = Array(text.utf8.prefix(layout.queryEnd))
    if let fragment {
      bytes.append(.hash)
      bytes.append(fragment.utf8Span.span, encodingAllBut: .fragment)
    }
    return WebURL(text: String(decoding: bytes, as: UTF8.self), userinfo: userinfo, layout: layout)
  }
}

extension WebURL: CustomStringConvertible {
  public var description: String { text }
}

extension WebURL {
  /// The longest URL in bytes, as given and as serialised.
  public static let maximumLength = 64 * 1024

  /// Parses an absolute URL.
  public init(_ text: String) throws(LinkError) {
    self = try URLParser.parse(text.utf8Span.span, base: nil)
  }

  /// Parses the value of a Location header or an `href`, absolute or relative to `base`.
  public init(_ reference: String, relativeTo base: WebURL) throws(LinkError) {
    self = try URLParser.parse(reference.utf8Span.span, base: base)
  }

  /// Parses header bytes, which need not be UTF-8: outside the host, bytes from 0x80 up are
  /// percent-encoded as they are.
  public init(bytes: [UInt8], relativeTo base: WebURL? = nil) throws(LinkError) {
    self = try URLParser.parse(bytes.span, base: base)
  }

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

/// The host of a URL: a name to resolve, or an address.
public enum Host: Hashable, Sendable, CustomStringConvertible {
  /// Lower case and ASCII, international labels in Punycode.
  case domain(String)
  case address(IPAddress)

  /// As it stands in a URL, IPv6 in brackets.
  public var description: String {
    switch self {
    case .domain(let name): name
    case .address(let address): address.isV4 ? address.description : "[\(address)]"
    }
  }
}

/// Scheme, host and port: the border that credentials and custom headers do not cross.
public struct Origin: Hashable, Sendable, CustomStringConvertible {
  public let scheme: Scheme
  public let host: Host
  /// Always the effective port.
  public let port: UInt16

  /// `https://example.org`, with the port when it is not the default.
  public var description: String {
    let base = "\(scheme.rawValue)://\(host)"
    return port == scheme.defaultPort ? base : "\(base):\(port)"
  }
}

/// The schemes that Halyard fetches.
public enum Scheme: String, Hashable, Sendable {
  case http
  case https

  /// The port that a URL of this scheme does not have to name.
  public var defaultPort: UInt16 {
    switch self {
    case .http: 80
    case .https: 443
    }
  }
}

/// Why a text is not a URL, or not an address range, that Halyard can use.
public enum LinkError: Error, Hashable, Sendable {
  case empty
  /// Neither an absolute URL nor, where that is allowed, something that looks like a host.
  case notAURL
  case unsupportedScheme(String)
  case invalidHost(HostFault)
  case invalidPort
  /// CR, LF or NUL inside a URL that a user gave.
  case forbiddenCharacter
  /// The input, or what it became once percent-encoded, is longer than so many bytes.
  case tooLong(limit: Int)
  case invalidAddressRange(String)
  case invalidNAT64Prefix(String)

  /// One line for people.
  public var message: String {
    switch self {
    case .empty: "the URL is empty"
    case .notAURL: "not a URL: there is no http:// or https://, and no host to put it in front of"
    case .unsupportedScheme(let scheme):
      "the scheme '\(scheme)' is not supported, only http and https are"
    case .invalidHost(let fault): "the URL's host \(fault.message)"
    case .invalidPort: "the URL's port is not a number from 0 to 65535"
    case .forbiddenCharacter: "the URL contains a line break or a NUL"
    case .tooLong(let limit): "the URL is longer than \(limit) bytes"
    case .invalidAddressRange(let text):
      "'\(text)' is neither an address such as 127.0.0.1 nor a range such as 10.0.0.0/8 or fd00::/8; "
        + "with a port behind it, write 127.0.0.1:8080, [::1]:8080 or 10.0.0.0/8:8080"
    case .invalidNAT64Prefix(let text):
      "'\(text)' is not a prefix of NAT64 such as 64:ff9b::/96; it has 32, 40, 48, 56, 64 or 96 bits"
    }
  }
}

/// What is wrong with the host of a URL.
public enum HostFault: Error, Hashable, Sendable {
  case missing
  case forbiddenCharacter
  case invalidIPv4
  case invalidIPv6
  /// Not UTF-8, or a character or label that internationalised names must not have.
  case invalidInternationalName

  var message: String {
    switch self {
    case .missing: "is missing"
    case .forbiddenCharacter: "contains a character that hosts must not have"
    case .invalidIPv4: "ends in a number but is not an IPv4 address"
    case .invalidIPv6: "is not an IPv6 address"
    case .invalidInternationalName: "is not a valid internationalised name"
    }
  }
}
