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

/// Tells the names of authors from what stands in their place.
enum AuthorName {
  /// Addresses of profiles and ids of accounts are no names; what is passed over hides no name behind it.
  static func isOne(_ text: String) -> Bool {
    !text.contains("://") && text.utf8.contains { !$0.isASCIIDigit }
  }
}

/// What a page says of an image that it offers for its preview.
struct DeclaredImage: Sendable {
  /// How large an image may claim to be.
  static let mostPixels: Int64 = 100_000

  /// As the page writes it.
  let address: String
  var width: Int?
  var height: Int?
  var type: String?
  var alt: String?

  /// A width or a height; nil for what no image has.
  static func pixels(_ number: Int?) -> Int? {
    number.flatMap { (1...mostPixels).contains(Int64($0)) ? $0 : nil }
  }
}

/// The images of one vocabulary that the page describes, in its order. What describes an image stands behind it and before
/// the next. Most pages describe none, and pay for nothing but an address.
struct DeclaredImages: Sendable {
  private(set) var described: [DeclaredImage] = []
  /// What is said now belongs to the image that began with this address.
  private var open: String?
  private var isOpenDescribed = false
  /// An image has one address of each name.
  private var hasURL = false
  private var hasSecureURL = false
  private var count = 0

  /// Takes an address of an image.
  ///
  /// - Parameters:
  ///   - value: nil for an image that cannot be fetched; what stands behind it describes no other.
  ///   - limit: How many images are taken; those behind them are described in vain.
  mutating func read(_ name: MetaName, _ value: String?, limit: Int) {
    switch name {
    case .ogImageURL where open != nil && !hasURL: hasURL = value != nil
    case .ogImageSecureURL where open != nil && !hasSecureURL: hasSecureURL = value != nil
    default:
      open = count < limit ? value : nil
      isOpenDescribed = false
      (hasURL, hasSecureURL) = (name == .ogImageURL, name == .ogImageSecureURL)
      if open != nil { count += 1 }
    }
  }

  /// Takes what is said of an image.
  mutating func describe(_ name: MetaName, _ value: String) {
    switch name {
    case .ogImageWidth: describe(\.width, DeclaredImage.pixels(Int(value)))
    case .ogImageHeight: describe(\.height, DeclaredImage.pixels(Int(value)))
    case .ogImageType: describe(\.type, value)
    case .ogImageAlt, .twitterImageAlt: describe(\.alt, value)
    default: break
    }
  }

  private mutating func describe<Value>(_ path: WritableKeyPath<DeclaredImage, Value?>, _ value: Value?) {
    guard let open, let value else { return }
    if !isOpenDescribed { described.append(DeclaredImage(address: open)) }
    isOpenDescribed = true
    let last = described.count - 1
    described[last][keyPath: path] = described[last][keyPath: path] ?? value
  }
}

/// The names under which meta elements say something about a page.
enum MetaName: Int, CaseIterable, Sendable {
  case ogTitle, ogDescription, ogImage, ogImageURL, ogImageSecureURL, ogSiteName, ogURL, ogType, ogLocale
  case ogAuthor, ogPublished, ogModified
  case twitterTitle, twitterDescription, twitterImage, twitterURL, twitterCreator
  case description, siteName, author, published, modified, language, robots, themeColor
  case ogImageWidth, ogImageHeight, ogImageType, ogImageAlt, twitterImageAlt

  enum Kind {
    case title
    case description
    case address
    case author
    case short
  }

  /// As pages write it, and how the value is read and bounded.
  private var row: (words: String, kind: Kind) {
    switch self {
    case .ogTitle: ("og:title", .title)
    case .ogDescription: ("og:description", .description)
    case .ogImage: ("og:image", .address)
    case .ogImageURL: ("og:image:url", .address)
    case .ogImageSecureURL: ("og:image:secure_url", .address)
    case .ogSiteName: ("og:site_name", .short)
    case .ogURL: ("og:url", .address)
    case .ogType: ("og:type", .short)
    case .ogLocale: ("og:locale", .short)
    case .ogAuthor: ("article:author og:article:author", .author)
    case .ogPublished: ("article:published_time og:article:published_time", .short)
    case .ogModified: ("article:modified_time og:article:modified_time og:updated_time", .short)
    case .twitterTitle: ("twitter:title", .title)
    case .twitterDescription: ("twitter:description", .description)
    case .twitterImage: ("twitter:image twitter:image:src", .address)
    case .twitterURL: ("twitter:url", .address)
    case .twitterCreator: ("twitter:creator", .author)
    case .description: ("description", .description)
    case .siteName: ("application-name", .short)
    case .author: ("author dc.creator", .author)
    case .published: ("date pubdate dc.date dc.date.issued dcterms.created", .short)
    case .modified: ("last-modified dc.date.modified dcterms.modified revised", .short)
    case .language: ("content-language", .short)
    case .robots: ("robots", .short)
    case .themeColor: ("theme-color", .short)
    case .ogImageWidth: ("og:image:width", .short)
    case .ogImageHeight: ("og:image:height", .short)
    case .ogImageType: ("og:image:type", .short)
    case .ogImageAlt: ("og:image:alt", .short)
    case .twitterImageAlt: ("twitter:image:alt", .short)
    }
  }

  static let table = WordTable<MetaName>(
    allCases.flatMap { name in name.row.words.split(separator: " ").map { (String($0), name) } })

  var kind: Kind { row.kind }

  /// The raw values of those that are for previews of links: Open Graph's and Twitter's.
  static let previews = ogTitle.rawValue...twitterCreator.rawValue

  /// Whether it names another image for a preview, and not only the same one again.
  var isImage: Bool {
    self == .ogImage || self == .ogImageURL || self == .twitterImage
  }

  /// Whether it says where an image is, and the second one that begins another.
  var isImageAddress: Bool { isImage || self == .ogImageSecureURL }

  /// Whether it says something of the image before it, and is no word about the page.
  var describesImage: Bool { rawValue >= Self.wordsAboutPages }

  /// How many names say something about the page itself; those of images have the raw values behind them.
  static let wordsAboutPages = ogImageWidth.rawValue
}
