/// What a page says about itself.
public struct PageFacts: Hashable, Sendable {
  /// The document's title, or the next best thing; `titleSource` tells which.
  public var title: String?
  public var titleSource: TitleSource?
  public var card = Card()
  /// Whether it is a page at all, be it HTML or XHTML.
  public var isPage = false
  /// The WHATWG name, in lower case, of the charset the page was read in.
  public var charset = Charset.utf8.rawValue
  /// The absolute address that relative ones start from, where a `base` element changed it.
  public var baseHref: String?
  /// The content of the first meta refresh, such as `0; url=/next`; not interpreted.
  public var refresh: String?
  /// Where the page's oEmbed endpoint answers in JSON.
  public var embedEndpoint: String?
  public var warnings: [PageWarning] = []
  /// The time for reading it was over before its end.
  public var isCutShort = false
}

/// Where a page's title was found.
public enum TitleSource: String, CaseIterable, Sendable {
  case title
  case og
  case twitter
  case jsonLD = "json_ld"
  case h1
  /// The page has none, and its oEmbed endpoint knows one.
  case oembed
  /// What a document that is no page has among its properties, such as a PDF.
  case document
}
