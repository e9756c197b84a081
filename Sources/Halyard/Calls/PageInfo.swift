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

  /// What a link preview shows; members that nothing on the page gives are nil, or empty. Its addresses are absolute.
  public struct Card: Hashable, Sendable {
    /// The title for the preview, which may differ from the page's.
    public var title: String?
    /// A sentence or two about the page.
    public var description: String?
    /// The address of the first image.
    public var image: String?
    /// The width that is declared for the first image, in pixels.
    public var imageWidth: Int?
    /// The height that is declared for the first image, in pixels.
    public var imageHeight: Int?
    /// The media type that is declared for the first image, such as `image/png`.
    public var imageType: String?
    /// What the first image shows, for those who do not see it.
    public var imageAlt: String?
    /// The name of the whole site.
    public var siteName: String?
    /// The address that the page gives as its own.
    public var canonical: String?
    /// What the page is, such as `article` or `website`.
    public var type: String?
    /// The address of the site's icon.
    public var icon: String?
    /// As the page writes it, such as `en` or `pt-BR`.
    public var language: String?
    /// Who wrote the page.
    public var author: String?
    /// As the page writes it; mostly ISO 8601.
    public var published: String?
    /// As the page writes it; mostly ISO 8601.
    public var modified: String?
    /// All images that the page offers for its preview, the first included, where there are several.
    public var images: [String] = []
    /// Addresses of feeds (RSS, Atom, JSON Feed).
    public var feeds: [String] = []
    /// The same page for AMP.
    public var amphtml: String?
    /// A colour as CSS writes it.
    public var themeColor: String?
    /// What the page asks robots for, such as `noindex, nofollow`.
    public var robots: String?
    /// Where a description of the page for embedding it is.
    public var oembed: String?
    /// What was found there; nil when it was not asked for (``HalyardClient/title(_:embed:options:)``), or see ``embedError``.
    public var embed: Embed?
    /// Why nothing was found there; the call itself has ended well.
    public var embedError: HalyardError?

    /// An empty card, to be filled: for fakes, such as those of tests.
    public init() {}
  }

  /// How a page describes itself for embedding, as its oEmbed endpoint says.
  public struct Embed: Hashable, Sendable {
    /// `photo`, `video`, `link` or `rich`.
    public var type: String?
    /// The title of what is embedded.
    public var title: String?
    /// Who made it.
    public var authorName: String?
    /// The address of who made it.
    public var authorURL: String?
    /// The name of the site it comes from.
    public var providerName: String?
    /// The address of the site it comes from.
    public var providerURL: String?
    /// The picture itself, of the type `photo`.
    public var url: String?
    /// The address of a picture that stands for it.
    public var thumbnailURL: String?
    /// In pixels.
    public var thumbnailWidth: Int?
    /// In pixels.
    public var thumbnailHeight: Int?
    /// In pixels.
    public var width: Int?
    /// In pixels.
    public var height: Int?
    /// Markup of the provider's, not checked: show it only where its scripts can do no harm.
    public var html: String?

    /// An empty description, to be filled: for fakes, such as those of tests.
    public init() {}
  }
}

extension PageInfo.Card {
  init(_ row: JSONValue) {
    title = row["title"]?.string
    description = row["description"]?.string
    image = row["image"]?.string
    imageWidth = row["image_width"]?.int64.map { Int(clamping: $0) }
    imageHeight = row["image_height"]?.int64.map { Int(clamping: $0) }
    imageType = row["image_type"]?.string
    imageAlt = row["image_alt"]?.string
    siteName = row["site_name"]?.string
    canonical = row["canonical"]?.string
    type = row["type"]?.string
    icon = row["icon"]?.string
    language = row["language"]?.string
    author = row["author"]?.string
    published = row["published"]?.string
    modified = row["modified"]?.string
    images = row["images"]?.elements.compactMap(\.string) ?? []
    feeds = row["feeds"]?.elements.compactMap(\.string) ?? []
    amphtml = row["amphtml"]?.string
    themeColor = row["theme_color"]?.string
    robots = row["robots"]?.string
    oembed = row["oembed"]?.string
    embed = row["embed"].map { PageInfo.Embed($0) }
    embedError = row["embed_error"].map { HalyardError(row: $0) }
  }
}

extension PageInfo.Embed {
  init(_ row: JSONValue) {
    type = row["type"]?.string
    title = row["title"]?.string
    authorName = row["author_name"]?.string
    authorURL = row["author_url"]?.string
    providerName = row["provider_name"]?.string
    providerURL = row["provider_url"]?.string
    url = row["url"]?.string
    thumbnailURL = row["thumbnail_url"]?.string
    thumbnailWidth = row["thumbnail_width"]?.int64.map { Int(clamping: $0) }
    thumbnailHeight = row["thumbnail_height"]?.int64.map { Int(clamping: $0) }
    width = row["width"]?.int64.map { Int(clamping: $0) }
    height = row["height"]?.int64.map { Int(clamping: $0) }
    html = row["html"]?.string
  }
}
