import Posix

/// The link relations that matter for a card.
enum LinkRelation: Sendable {
  case canonical
  case imageSource
  case icon
  case touchIcon
  case maskIcon
  case amphtml
  case alternate

  private static let table = WordTable<LinkRelation>([
    ("canonical", .canonical),
    ("image_src", .imageSource),
    ("icon", .icon),
    ("apple-touch-icon", .touchIcon),
    ("apple-touch-icon-precomposed", .touchIcon),
    ("mask-icon", .maskIcon),
    ("amphtml", .amphtml),
    ("alternate", .alternate),
  ])

  /// Of a long list only the start is read.
  static func start(of list: Range<Int>) -> Range<Int> {
    list.lowerBound..<min(list.upperBound, list.lowerBound &+ 256)
  }

  /// Takes the next known one off a list separated by white space.
  static func next(in bytes: Span<UInt8>, _ list: inout Range<Int>) -> LinkRelation? {
    let end = list.upperBound
    while !list.isEmpty {
      let start = bytes.skippingSpace(from: list.lowerBound, to: end)
      var wordEnd = start
      while wordEnd < end, !bytes[wordEnd].isHTMLSpace { wordEnd &+= 1 }
      list = wordEnd..<end
      if let relation = table[bytes, start..<wordEnd] { return relation }
    }
    return nil
  }

  /// What is known about an alternate of a media type.
  enum Alternate: Sendable {
    case feed
    case jsonEmbedding
    case xmlEmbedding
  }

  static func alternate(_ bytes: Span<UInt8>, _ type: Range<Int>) -> Alternate? {
    alternates[bytes, bytes.withoutParameters(type)]
  }

  private static let alternates = WordTable<Alternate>([
    ("application/rss+xml", .feed), ("application/atom+xml", .feed), ("application/feed+json", .feed),
    ("application/rdf+xml", .feed), ("application/json+oembed", .jsonEmbedding),
    ("text/xml+oembed", .xmlEmbedding), ("application/xml+oembed", .xmlEmbedding),
  ])

  /// Whether a script's type is that of JSON-LD.
  static func isLinkedData(_ bytes: Span<UInt8>, _ type: Range<Int>) -> Bool {
    linkedDataTypes[bytes, bytes.withoutParameters(type)] != nil
  }

  private static let linkedDataTypes = WordTable<Bool>([("application/ld+json", true)])

  /// The largest width in a `sizes` attribute such as `16x16 32x32`; 0 when there is none, and what scales to any size
  /// is larger than all.
  static func width(in bytes: Span<UInt8>, _ sizes: Range<Int>) -> Int {
    let sizes = bytes.trimmed(sizes)
    if bytes.has("any", at: sizes.lowerBound), sizes.count == 3 { return .max }
    var largest = 0
    var width = 0
    var isWidth = true
    for index in sizes.prefix(256) {
      let byte = bytes[index]
      if byte.isASCIIDigit {
        if isWidth, width < 100_000 { width = width * 10 + Int(byte &- 0x30) }
        largest = max(largest, width)
      } else {
        isWidth = byte.isHTMLSpace
        width = 0
      }
    }
    return largest
  }
}

extension Span<UInt8> {
  /// A media type alone.
  fileprivate func withoutParameters(_ type: Range<Int>) -> Range<Int> {
    let end = extracting(..<type.upperBound).firstIndex(of: .semicolon, from: type.lowerBound)
    return trimmed(type.lowerBound..<end)
  }
}
