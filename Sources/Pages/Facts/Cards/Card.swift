/// A link preview; its addresses are absolute.
public struct Card: Hashable, Sendable {
  public var title: String?
  public var description: String?
  public var image: String?
  /// In pixels, as the page or its endpoint says.
  public var imageWidth: Int?
  /// In pixels, as the page or its endpoint says.
  public var imageHeight: Int?
  /// A media type, such as `image/png`.
  public var imageType: String?
  /// What the image shows, for those who do not see it.
  public var imageAlt: String?
  public var siteName: String?
  public var canonical: String?
  public var type: String?
  public var icon: String?
  /// As the page writes it, such as `en` or `pt-BR`.
  public var language: String?
  public var author: String?
  /// As the page writes it; mostly ISO 8601.
  public var published: String?
  public var feeds: [String] = []
  /// As the page writes it; mostly ISO 8601.
  public var modified: String?
  /// All images that the page offers for its preview, the first included, where there are several.
  public var images: [String] = []
  /// The same page for AMP.
  public var amphtml: String?
  /// A colour as CSS writes it.
  public var themeColor: String?
  /// What the page asks robots for, such as `noindex, nofollow`.
  public var robots: String?
  /// Where a description of the page for embedding it is, JSON before XML.
  public var oembed: String?
  /// What was found there; nil when it was not asked for.
  public var embed: Embedding?
  /// Where each field that is there was found.
  public var sources: [CardField: CardOrigin] = [:]

  public init() {}
}

/// The fields of a card; raw values are their names in results.
public enum CardField: String, CaseIterable, Sendable {
  case title
  case description
  case image
  case imageWidth = "image_width"
  case imageHeight = "image_height"
  case imageType = "image_type"
  case imageAlt = "image_alt"
  case siteName = "site_name"
  case canonical
  case type
  case icon
  case language
  case author
  case published
  case feeds
  case modified
  case images
  case amphtml
  case themeColor = "theme_color"
  case robots
  case oembed
  case embed
}

/// Where a field of a card was found.
public enum CardOrigin: String, CaseIterable, Sendable {
  case og
  case twitter
  case meta
  case title
  case link
  /// The markup itself: an attribute or a heading.
  case html
  /// A header of the response.
  case header
  case jsonLD = "json_ld"
  /// The answer of the page's oEmbed endpoint.
  case oembed
  /// The public registry of oEmbed providers: the page itself names no endpoint.
  case registry
  /// A convention that every site is held to, such as `/favicon.ico`.
  case convention = "default"
}
