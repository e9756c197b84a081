/// The names under which meta elements say something about a page.
enum MetaName: Int, CaseIterable, Sendable {
  case ogTitle
  case ogDescription
  case ogImage
  case ogImageURL
  case ogImageSecureURL
  case ogSiteName
  case ogURL
  case ogType
  case ogLocale
  case ogAuthor
  case ogPublished
  case ogModified
  case twitterTitle
  case twitterDescription
  case twitterImage
  case twitterURL
  case twitterCreator
  case description
  case siteName
  case author
  case published
  case modified
  case language
  case robots
  case themeColor
  case ogImageWidth
  case ogImageHeight
  case ogImageType
  case ogImageAlt
  case twitterImageAlt

  static let table = WordTable<MetaName>([
    ("og:title", .ogTitle),
    ("og:description", .ogDescription),
    ("og:image", .ogImage),
    ("og:image:url", .ogImageURL),
    ("og:image:secure_url", .ogImageSecureURL),
    ("og:site_name", .ogSiteName),
    ("og:url", .ogURL),
    ("og:type", .ogType),
    ("og:locale", .ogLocale),
    ("article:author", .ogAuthor),
    ("og:article:author", .ogAuthor),
    ("article:published_time", .ogPublished),
    ("og:article:published_time", .ogPublished),
    ("article:modified_time", .ogModified),
    ("og:article:modified_time", .ogModified),
    ("og:updated_time", .ogModified),
    ("twitter:title", .twitterTitle),
    ("twitter:description", .twitterDescription),
    ("twitter:image", .twitterImage),
    ("twitter:image:src", .twitterImage),
    ("twitter:url", .twitterURL),
    ("twitter:creator", .twitterCreator),
    ("description", .description),
    ("application-name", .siteName),
    ("author", .author),
    ("dc.creator", .author),
    ("date", .published),
    ("pubdate", .published),
    ("dc.date", .published),
    ("dc.date.issued", .published),
    ("dcterms.created", .published),
    ("last-modified", .modified),
    ("dc.date.modified", .modified),
    ("dcterms.modified", .modified),
    ("revised", .modified),
    ("robots", .robots),
    ("theme-color", .themeColor),
    ("content-language", .language),
    ("og:image:width", .ogImageWidth),
    ("og:image:height", .ogImageHeight),
    ("og:image:type", .ogImageType),
    ("og:image:alt", .ogImageAlt),
    ("twitter:image:alt", .twitterImageAlt),
  ])

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

  enum Kind {
    case title
    case description
    case address
    case author
    case short
  }

  /// How the value is read and bounded.
  var kind: Kind {
    switch self {
    case .ogTitle, .twitterTitle: .title
    case .ogDescription, .twitterDescription, .description: .description
    case .ogImage, .ogImageURL, .ogImageSecureURL, .ogURL, .twitterImage, .twitterURL: .address
    case .ogAuthor, .twitterCreator, .author: .author
    case .ogSiteName, .ogType, .ogLocale, .ogPublished, .ogModified, .siteName, .published, .modified,
      .language, .robots,
      .themeColor, .ogImageWidth, .ogImageHeight, .ogImageType, .ogImageAlt, .twitterImageAlt:
      .short
    }
  }
}
