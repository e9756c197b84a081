/// A link preview: the fields that were found, each with where that was.
public struct Card: Hashable, Sendable {
  /// What a field holds.
  public enum Value: Hashable, Sendable {
    case text(String)
    case pixels(Int)
    case list([String])
    case embedding(Embedding)
  }

  private struct Entry: Hashable, Sendable {
    let value: Value
    let origin: CardOrigin
  }

  /// So few that looking through them costs less than a hash.
  private var fields: [CardField] = []
  /// What was found for each.
  private var entries: [Entry] = []

  public init() {}

  /// Makes room for as many as most pages have.
  mutating func reserveCapacity() {
    fields.reserveCapacity(12)
    entries.reserveCapacity(12)
  }

  /// What a field holds, and where it was found.
  public func found(_ field: CardField) -> (value: Value, origin: CardOrigin)? {
    fields.firstIndex(of: field).map { (entries[$0].value, entries[$0].origin) }
  }

  /// A field that is one text.
  public subscript(field: CardField) -> String? {
    if case .text(let text)? = found(field)?.value { text } else { nil }
  }

  func lacks(_ field: CardField) -> Bool { !fields.contains(field) }

  /// Fills a field that is still empty; only then the value is made.
  public mutating func offer(_ field: CardField, _ value: @autoclosure () -> Value?, from origin: CardOrigin)
  {
    guard lacks(field), let value = value() else { return }
    fields.append(field)
    entries.append(Entry(value: value, origin: origin))
  }

  public mutating func offer(_ field: CardField, _ text: @autoclosure () -> String?, from origin: CardOrigin)
  {
    offer(field, text().map(Value.text), from: origin)
  }
}

/// The fields of a card; raw values are their names in results. Addresses are absolute.
public enum CardField: String, CaseIterable, Sendable {
  case title
  case description
  case image
  /// In pixels, as the page or its endpoint says.
  case imageWidth = "image_width"
  /// In pixels, as the page or its endpoint says.
  case imageHeight = "image_height"
  /// A media type, such as `image/png`.
  case imageType = "image_type"
  /// What the image shows, for those who do not see it.
  case imageAlt = "image_alt"
  case siteName = "site_name"
  case canonical
  case type
  case icon
  /// As the page writes it, such as `en` or `pt-BR`.
  case language
  case author
  /// As the page writes it; mostly ISO 8601.
  case published
  case feeds
  /// As the page writes it; mostly ISO 8601.
  case modified
  /// All images that the page offers for its preview, the first included, where there are several.
  case images
  /// The same page for AMP.
  case amphtml
  /// A colour as CSS writes it.
  case themeColor = "theme_color"
  /// What the page asks robots for, such as `noindex, nofollow`.
  case robots
  /// Where a description of the page for embedding it is, JSON before XML.
  case oembed
  /// What was found there; absent when it was not asked for.
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
