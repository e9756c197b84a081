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
  case twitterTitle
  case twitterDescription
  case twitterImage
  case twitterURL
  case twitterCreator
  case description
  case siteName
  case author
  case published
  case language

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
    ("content-language", .language),
  ])

  enum Kind {
    case title
    case description
    case address
    case short
  }

  /// How the value is read and bounded.
  var kind: Kind {
    switch self {
    case .ogTitle, .twitterTitle: .title
    case .ogDescription, .twitterDescription, .description: .description
    case .ogImage, .ogImageURL, .ogImageSecureURL, .ogURL, .twitterImage, .twitterURL: .address
    case .ogSiteName, .ogType, .ogLocale, .ogAuthor, .ogPublished, .twitterCreator, .siteName, .author,
      .published, .language:
      .short
    }
  }
}
