internal import JSONQuery

/// Where a link leads.
public struct Resolved: Hashable, Sendable {
  /// One redirect on the way.
  public struct Hop: Hashable, Sendable {
    public var url: String
    /// The HTTP status, such as 301.
    public var status: Int
    /// How it led on: `location`, `refresh` and the like.
    public var via: String

    /// For fakes, such as those of tests.
    public init(url: String, status: Int = 301, via: String = "location") {
      self.url = url
      self.status = status
      self.via = via
    }
  }

  /// The link as it was asked for.
  public var input: String
  /// Where it ends.
  public var url: String
  /// The HTTP status there.
  public var status: Int
  public var hops: [Hop]

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

extension Resolved {
  init(_ row: AnswerRow) {
    input = row["input"]?.string ?? ""
    url = row["url"]?.string ?? ""
    status = row.number("http_status")
    hops =
      row["hops"]?.elements.map { hop in
        Hop(
          url: hop["url"]?.string ?? "", status: Int(clamping: hop["status"]?.int64 ?? 0),
          via: hop["via"]?.string ?? "")
      } ?? []
  }
}
