/// The link relations that matter for a card.
enum LinkRelation: Sendable {
  case canonical
  case imageSource
  case icon
  case touchIcon
  case alternate

  private static let table = WordTable<LinkRelation>([
    ("canonical", .canonical),
    ("image_src", .imageSource),
    ("icon", .icon),
    ("apple-touch-icon", .touchIcon),
    ("apple-touch-icon-precomposed", .touchIcon),
    ("alternate", .alternate),
  ])

  /// The first known one in a list separated by white space; of a long list only the start is read.
  static func first(in bytes: Span<UInt8>, _ list: Range<Int>) -> LinkRelation? {
    let end = min(list.upperBound, list.lowerBound &+ 256)
    var start = bytes.skippingSpace(from: list.lowerBound, to: end)
    while start < end {
      var wordEnd = start
      while wordEnd < end, !bytes[wordEnd].isHTMLSpace { wordEnd &+= 1 }
      if let relation = table[bytes, start..<wordEnd] { return relation }
      start = bytes.skippingSpace(from: wordEnd, to: end)
    }
    return nil
  }

  /// Whether a media type is that of a feed.
  static func isFeed(_ bytes: Span<UInt8>, _ type: Range<Int>) -> Bool {
    feedTypes[bytes, bytes.trimmed(type)] != nil
  }

  private static let feedTypes = WordTable<Bool>([
    ("application/rss+xml", true), ("application/atom+xml", true), ("application/feed+json", true),
  ])

  /// The width in a `sizes` attribute such as `32x32`; 0 when there is none.
  static func width(in bytes: Span<UInt8>, _ sizes: Range<Int>) -> Int {
    var width = 0
    for index in bytes.trimmed(sizes) {
      guard bytes[index].isASCIIDigit, width < 100_000 else { break }
      width = width * 10 + Int(bytes[index] &- 0x30)
    }
    return width
  }
}
