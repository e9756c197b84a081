import Posix

/// Chooses among what a page says about itself and makes its addresses absolute.
struct CardBuilder {
  let findings: Findings
  let linkedData: LinkedDataFacts
  /// What the response says about its language.
  let contentLanguage: String?
  /// The address the page was finally read from.
  let url: String
  /// What relative addresses start from.
  let base: String
  let resolve: (_ reference: String, _ base: String) -> String?

  func card() -> Card {
    var card = Card()
    card.reserveCapacity()
    addTexts(to: &card)
    let image = addImage(to: &card)
    addAddresses(to: &card)
    if let image { describeImage(of: &card, writtenAs: image) }
    addLists(to: &card, imageWrittenAs: image)
    return card
  }

  private func addTexts(to card: inout Card) {
    card.offer(.title, findings[.ogTitle], from: .og)
    card.offer(.title, findings[.twitterTitle], from: .twitter)
    card.offer(.title, findings.title, from: .title)
    card.offer(.title, linkedData[.title], from: .jsonLD)
    card.offer(.title, findings.heading, from: .html)
    set(
      .description, in: &card,
      [(.ogDescription, .og), (.twitterDescription, .twitter), (.description, .meta)])
    set(.siteName, in: &card, [(.ogSiteName, .og), (.siteName, .meta)])
    set(.type, in: &card, [(.ogType, .og)])
    // What a template of a site says about its locale is a worse witness than the element itself.
    card.offer(.language, findings.language, from: .html)
    card.offer(.language, findings[.ogLocale]?.replacing("_", with: "-"), from: .og)
    card.offer(.language, findings[.language], from: .meta)
    card.offer(.language, contentLanguage, from: .header)
    card.offer(.language, linkedData[.language], from: .jsonLD)
    set(.author, in: &card, [(.ogAuthor, .og), (.twitterCreator, .twitter), (.author, .meta)])
    set(.published, in: &card, [(.ogPublished, .og), (.published, .meta)])
    set(.modified, in: &card, [(.ogModified, .og), (.modified, .meta)])
    set(.themeColor, in: &card, [(.themeColor, .meta)])
    set(.robots, in: &card, [(.robots, .meta)])
  }

  /// Returns the chosen image's address as the page writes it.
  private func addImage(to card: inout Card) -> String? {
    func offer(_ address: String?, from origin: CardOrigin) -> Bool {
      card.offer(.image, absolute(address), from: origin)
      return !card.lacks(.image)
    }
    let named = [MetaName.ogImage, .ogImageURL, .ogImageSecureURL].first { offer(findings[$0], from: .og) }
    if let named { return findings[named] }
    if offer(findings[.twitterImage], from: .twitter) { return findings[.twitterImage] }
    if offer(findings.links.image, from: .link) { return findings.links.image }
    return offer(linkedData.image?.address, from: .jsonLD) ? linkedData.image?.address : nil
  }

  private func addAddresses(to card: inout Card) {
    card.offer(.canonical, absolute(findings[.ogURL]), from: .og)
    card.offer(.canonical, absolute(findings[.twitterURL]), from: .twitter)
    card.offer(.canonical, absolute(findings.links.canonical), from: .link)
    card.offer(.icon, absolute(findings.links.icon.address), from: .link)
    card.offer(.icon, absolute(findings.links.touchIcon.address), from: .link)
    card.offer(.icon, absolute(findings.links.maskIcon), from: .link)
    card.offer(.icon, resolve("/favicon.ico", url), from: .convention)
    card.offer(.amphtml, absolute(findings.links.amphtml), from: .link)
    card.offer(.oembed, absolute(findings.links.jsonEmbedding), from: .link)
    card.offer(.oembed, absolute(findings.links.xmlEmbedding), from: .link)
  }

  /// Adds what is said of the chosen image, wherever the page says it.
  private func describeImage(of card: inout Card, writtenAs chosen: String) {
    func describe(_ image: DeclaredImage, from origin: CardOrigin) {
      guard image.address == chosen || absolute(image.address) == card[.image] else { return }
      card.describeImage(image, from: origin)
    }
    for image in findings.ogImages.described { describe(image, from: .og) }
    for image in findings.twitterImages.described { describe(image, from: .twitter) }
    if let image = linkedData.image, (image.width ?? image.height) != nil { describe(image, from: .jsonLD) }
  }

  /// Where JSON about embedding the page is.
  var embedEndpoint: String? { absolute(findings.links.jsonEmbedding) }

  private func addLists(to card: inout Card, imageWrittenAs chosen: String?) {
    let feeds = findings.links.feeds.compactMap(absolute)
    card.offer(.feeds, feeds.isEmpty ? nil : .list(feeds), from: .link)
    guard case (.text(let image), let origin)? = card.found(.image) else { return }
    var images = [image]
    let others = findings.images.lazy.filter { $0 != chosen }.compactMap(absolute)
    for image in others where !images.contains(image) { images.append(image) }
    card.offer(.images, images.count > 1 ? .list(images) : nil, from: origin)
  }

  /// Takes what JSON-LD says where none of the names says it.
  private func set(_ field: CardField, in card: inout Card, _ names: [(MetaName, CardOrigin)]) {
    for (name, origin) in names { card.offer(field, findings[name], from: origin) }
    card.offer(field, linkedData[field], from: .jsonLD)
  }

  /// Only what can be fetched over HTTP is an address of a card.
  private func absolute(_ reference: String?) -> String? {
    guard let address = reference.flatMap({ resolve($0, base) }),
      address.hasPrefix("https://") || address.hasPrefix("http://")
    else { return nil }
    return address
  }
}

extension Card {
  /// Fills what is not known yet of the card's image.
  mutating func describeImage(_ image: DeclaredImage, from origin: CardOrigin) {
    offer(.imageWidth, image.width.map(Value.pixels), from: origin)
    offer(.imageHeight, image.height.map(Value.pixels), from: origin)
    offer(.imageType, image.type, from: origin)
    offer(.imageAlt, image.alt, from: origin)
  }
}

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

  /// The largest width in a `sizes` attribute such as `16x16 32x32`; 0 when there is none, and what scales to any size
  /// is larger than all.
  static func width(in bytes: Span<UInt8>, _ sizes: Range<Int>) -> Int {
    let sizes = bytes.trimmed(sizes)
    if bytes.spells("any", in: sizes) { return .max }
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
  func withoutParameters(_ type: Range<Int>) -> Range<Int> {
    let end = extracting(..<type.upperBound).firstIndex(of: .semicolon, from: type.lowerBound)
    return trimmed(type.lowerBound..<end)
  }
}
