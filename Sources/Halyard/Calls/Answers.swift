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
  }

  /// The link as it was asked for.
  public var input: String
  /// Where it ends.
  public var url: String
  /// The HTTP status there.
  public var status: Int
  public var hops: [Hop]

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

/// What a page says of itself.
public struct PageInfo: Hashable, Sendable {
  /// What a link preview shows; members that no tag of the page gives are nil.
  public struct Card: Hashable, Sendable {
    public var title: String?
    public var description: String?
    public var image: String?
    public var siteName: String?
    public var canonical: String?
    public var type: String?
    public var icon: String?
    public var language: String?
    public var author: String?
  }

  /// The way to the page.
  public var resolved: Resolved
  public var title: String
  /// What gave the title, such as `title` or `og`.
  public var source: String
  public var card: Card

  /// Where the page is.
  public var url: String { resolved.url }

  init(_ row: AnswerRow) throws(HalyardError) {
    resolved = Resolved(row)
    guard let title = row["title"]?.string else { throw row.unreadable("there is no title in it") }
    self.title = title
    source = row["title_source"]?.string ?? ""
    let found = row["card"]
    card = Card(
      title: found?["title"]?.string, description: found?["description"]?.string,
      image: found?["image"]?.string, siteName: found?["site_name"]?.string,
      canonical: found?["canonical"]?.string, type: found?["type"]?.string, icon: found?["icon"]?.string,
      language: found?["language"]?.string, author: found?["author"]?.string)
  }
}

/// Data at the end of a link, as a type of yours.
public struct Decoded<Value: Decodable & Sendable>: Sendable {
  /// The way to the data.
  public var resolved: Resolved
  public var value: Value

  /// Where the data is.
  public var url: String { resolved.url }

  init(_ row: AnswerRow) throws(HalyardError) {
    resolved = Resolved(row)
    value = try row.decoded(Value.self)
  }
}

extension Decoded: Equatable where Value: Equatable {}
extension Decoded: Hashable where Value: Hashable {}
