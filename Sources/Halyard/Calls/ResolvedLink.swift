internal import JSONQuery

/// Where a link leads.
public struct ResolvedLink: Hashable, Sendable {
  /// One redirect on the way.
  public struct Hop: Hashable, Sendable {
    /// The address that redirects.
    public var url: String
    /// The HTTP status, such as 301.
    public var status: Int
    /// What led on; nil where the redirect names no address.
    public var via: Via?

    /// For fakes, such as those of tests.
    public init(url: String, status: Int = 301, via: Via? = .location) {
      self.url = url
      self.status = status
      self.via = via
    }
  }

  /// What of a response leads on to another address. A newer fleet may know more than these.
  public struct Via: RawRepresentable, Hashable, Sendable {
    /// As rows have it.
    public var rawValue: String

    /// The header `Location`.
    public static let location = Via(rawValue: "location")
    /// The header `Refresh`.
    public static let refreshHeader = Via(rawValue: "refresh_header")
    /// A `meta` element of the page.
    public static let metaRefresh = Via(rawValue: "meta_refresh")

    /// What rows have as `via`.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// The link as it was asked for.
  public var input: String
  /// Where it ends.
  public var url: String
  /// The HTTP status there.
  public var status: Int
  /// The redirects on the way, in their order.
  public var hops: [Hop]
  /// The media type of what is there, such as `text/html`; nil when the server does not say.
  public var contentType: String?
  /// How often it was tried, 1 if the first attempt was enough.
  public var attempts = 1
  /// What is odd about what is there but no failure, such as a guessed charset.
  public var warnings: [String] = []
  /// How old the answer is that ``ClientSettings/cache`` had, in whole seconds; nil when it was fetched.
  public var age: Duration?

  /// For fakes, such as those of tests; the client makes its own.
  ///
  /// - Parameter url: Where the link ends; nil for where it begins.
  public init(input: String, url: String? = nil, status: Int = 200, hops: [Hop] = []) {
    self.input = input
    self.url = url ?? input
    self.status = status
    self.hops = hops
  }
}

extension ResolvedLink {
  init(_ row: AnswerRow) {
    input = row["input"]?.string ?? ""
    url = row["url"]?.string ?? ""
    status = row.number("http_status")
    hops = Hop.all(in: row["hops"])
    contentType = row["content_type"]?.string
    attempts = row.number("attempts")
    age = row.age.map { .seconds($0) }
    warnings = row["warnings"]?.elements.compactMap(\.string) ?? []
  }
}

extension ResolvedLink.Hop {
  static func all(in hops: JSONValue?) -> [ResolvedLink.Hop] {
    hops?.elements.map { hop in
      Self(
        url: hop["url"]?.string ?? "", status: Int(clamping: hop["status"]?.int64 ?? 0),
        via: (hop["via"]?.string).map { ResolvedLink.Via(rawValue: $0) })
    } ?? []
  }
}
