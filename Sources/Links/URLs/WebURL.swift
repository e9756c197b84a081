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
