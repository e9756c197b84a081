internal import JSONQuery

/// What a page says of itself.
public struct PageInfo: Hashable, Sendable {
  /// The way to the page.
  public var resolved: ResolvedLink
  /// The page's title, as one line.
  public var title: String
  /// What gave the title.
  public var titleSource: TitleSource
  /// What a link preview shows.
  public var card: Card
  /// Whether the page was cut at ``ClientSettings/largestPage``, or ended early.
  public var isTruncated = false

  /// Where the page is.
  public var url: String { resolved.url }

  /// For fakes, such as those of tests; the client makes its own.
  public init(
    resolved: ResolvedLink, title: String, titleSource: TitleSource = .title, card: Card = Card()
  ) {
    self.resolved = resolved
    self.title = title
    self.titleSource = titleSource
    self.card = card
  }
}

/// Where on a page its title stood. A newer fleet may know more than these.
public struct TitleSource: RawRepresentable, Hashable, Sendable {
  /// As rows have it.
  public var rawValue: String

  /// The element `title`.
  public static let title = TitleSource(rawValue: "title")
  /// Open Graph.
  public static let openGraph = TitleSource(rawValue: "og")
  /// The card for Twitter.
  public static let twitter = TitleSource(rawValue: "twitter")
  /// JSON-LD.
  public static let jsonLD = TitleSource(rawValue: "json_ld")
  /// The first heading.
  public static let heading = TitleSource(rawValue: "h1")
  /// The page's oEmbed endpoint.
  public static let oEmbed = TitleSource(rawValue: "oembed")
  /// A file that is no page, such as a feed, an image or a PDF document.
  public static let document = TitleSource(rawValue: "document")

  /// What rows have as `title_source`.
  public init(rawValue: String) { self.rawValue = rawValue }
}

extension PageInfo {
  init(_ row: AnswerRow) throws(HalyardError) {
    resolved = ResolvedLink(row)
    guard let title = row["title"]?.string else { throw row.withoutTitle }
    self.title = title
    titleSource = TitleSource(rawValue: row["title_source"]?.string ?? "")
    card = row["card"].map { Card($0) } ?? Card()
    isTruncated = row["truncated"]?.bool ?? false
  }
}
