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
