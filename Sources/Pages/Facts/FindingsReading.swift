/// What one pass over a page found, addresses as they are written there.
struct Findings: Sendable {
  /// Of an XML document.
  var vocabulary: XMLOutline.Vocabulary?
  var hasTitleElement = false
  /// The time was over before the page was.
  var isCutShort = false
  var title: String?
  var heading: String?
  var language: String?
  var base: String?
  var refresh: String?
  /// For who runs no scripts.
  var noscriptRefresh: String?
  /// What a meta element says the charset is.
  var charset: Charset?
  var links = LinkFindings()
  var images: [String] = []
  var ogImages = DeclaredImages()
  var twitterImages = DeclaredImages()
  /// The contents of scripts that hold JSON-LD.
  private(set) var linkedData: [[UInt8]] = []
  private var linkedDataBytes = 0
  /// What a script costs beside its content.
  private static let bytesOfScript = 64
  private var meta = [String?](repeating: nil, count: MetaName.wordsAboutPages)

  subscript(name: MetaName) -> String? {
    get { meta[name.rawValue] }
    set { meta[name.rawValue] = newValue }
  }

  /// Keeps a script's content while all of them together are within `limit` bytes.
  mutating func addLinkedData(_ content: Span<UInt8>, limit: Int) {
    guard linkedDataBytes + content.count <= limit else { return }
    linkedDataBytes += content.count + Self.bytesOfScript
    linkedData.append(content.copied)
  }

  /// Whether what it says for previews has a title or an image. A head with a site's name alone leaves the rest to the body.
  var settlesCard: Bool {
    (self[.ogTitle] ?? self[.twitterTitle] ?? self[.ogImage] ?? self[.ogImageURL] ?? self[.ogImageSecureURL]
      ?? self[.twitterImage]) != nil
  }

  /// The refresh that a reader who runs no scripts follows. A page that is complete without scripts means only browsers
  /// with one for them.
  var followedRefresh: String? {
    if let refresh { return refresh }
    let hasPreview = meta[MetaName.previews].contains { $0 != nil }
    let isComplete = title != nil && (hasPreview || self[.description] != nil)
    return isComplete ? nil : noscriptRefresh
  }

  /// Whether reading on could still change the title.
  var settlesTitle: Bool {
    title != nil
      || hasTitleElement && (self[.ogTitle] ?? self[.twitterTitle]) != nil
  }
}

/// What the link elements of a page point at.
struct LinkFindings: Sendable {
  var canonical: String?
  var image: String?
  var icon = SizedAddress()
  var touchIcon = SizedAddress()
  var maskIcon: String?
  var feeds: [String] = []
  var amphtml: String?
  var jsonEmbedding: String?
  var xmlEmbedding: String?
}

/// The address of the largest of several images, by what their `sizes` say; of equal ones the first.
struct SizedAddress: Sendable {
  private(set) var address: String?
  private var width = -1

  /// `width` is 0 where no size is given.
  func isSmaller(than width: Int) -> Bool { self.width < width }

  mutating func take(_ address: String, width: Int) {
    (self.address, self.width) = (address, width)
  }
}

extension Findings {
  /// Takes what an html, base, link or meta element says, unless an earlier one said it.
  mutating func read(
    _ name: TagName, with tokenizer: Tokenizer, in bytes: Span<UInt8>, limits: PageLimits,
    isInsideNoscript: Bool = false
  ) {
    let element = ElementReading(tokenizer: tokenizer, limits: limits)
    switch name {
    case .html:
      language =
        language ?? element.text(.lang, in: bytes, limit: limits.shortTextBytes)
        ?? element.text(.xmlLang, in: bytes, limit: limits.shortTextBytes)
    case .base:
      base = base ?? element.address(.href, in: bytes)
    case .link:
      links.read(element, in: bytes)
    case .meta:
      readMeta(element, in: bytes, isInsideNoscript: isInsideNoscript)
    default:
      break
    }
  }

  private mutating func readMeta(
    _ element: ElementReading, in bytes: Span<UInt8>, isInsideNoscript: Bool
  ) {
    charset = charset ?? Charset.declared(by: element.tokenizer, in: bytes)
    for attribute in [AttributeName.property, .name, .httpEquiv] {
      guard let range = element.tokenizer.value(of: attribute) else { continue }
      let trimmed = bytes.trimmed(range)
      if attribute == .httpEquiv, bytes.spells("refresh", in: trimmed) {
        let text = element.text(.content, in: bytes, limit: element.limits.addressBytes)
        if isInsideNoscript { noscriptRefresh = noscriptRefresh ?? text } else { refresh = refresh ?? text }
      }
      guard let name = MetaName.table[bytes, trimmed] else { continue }
      readMeta(name, element, in: bytes)
    }
  }

  private mutating func readMeta(_ name: MetaName, _ element: ElementReading, in bytes: Span<UInt8>) {
    if name.describesImage { return describeImage(name, element, in: bytes) }
    guard self[name] == nil || name.isImageAddress else { return }
    let value = element.value(of: name, in: bytes)
    if self[name] == nil { self[name] = value }
    guard name.isImageAddress else { return }
    readImage(name, value, limit: element.limits.images)
  }

  private mutating func readImage(_ name: MetaName, _ value: String?, limit: Int) {
    if name == .twitterImage {
      twitterImages.read(name, value, limit: limit)
    } else {
      ogImages.read(name, value, limit: limit)
    }
    guard name.isImage, images.count < limit, let value, !images.contains(value) else { return }
    images.append(value)
  }

  private mutating func describeImage(
    _ name: MetaName, _ element: ElementReading, in bytes: Span<UInt8>
  ) {
    guard let value = element.value(of: name, in: bytes) else { return }
    if name == .twitterImageAlt {
      twitterImages.describe(name, value)
    } else {
      ogImages.describe(name, value)
    }
  }
}

extension LinkFindings {
  mutating func read(_ element: ElementReading, in bytes: Span<UInt8>) {
    guard var list = element.tokenizer.value(of: .rel).map(LinkRelation.start) else { return }
    // An alternate icon is an icon, and an alternate of a feed's type a feed.
    while let relation = LinkRelation.next(in: bytes, &list) { read(relation, element, in: bytes) }
  }

  private mutating func read(_ relation: LinkRelation, _ element: ElementReading, in bytes: Span<UInt8>) {
    switch relation {
    case .canonical:
      canonical = canonical ?? element.webAddress(.href, in: bytes)
    case .imageSource:
      image = image ?? element.webAddress(.href, in: bytes)
    case .touchIcon: Self.read(element, into: &touchIcon, in: bytes)
    case .icon: Self.read(element, into: &icon, in: bytes)
    case .maskIcon:
      maskIcon = maskIcon ?? element.webAddress(.href, in: bytes)
    case .amphtml:
      amphtml = amphtml ?? element.webAddress(.href, in: bytes)
    case .alternate:
      readAlternate(element, in: bytes)
    }
  }

  private static func read(_ element: ElementReading, into icon: inout SizedAddress, in bytes: Span<UInt8>) {
    let sizes = element.tokenizer.value(of: .sizes)
    let width = sizes.map { LinkRelation.width(in: bytes, $0) } ?? 0
    guard icon.isSmaller(than: width), let address = element.webAddress(.href, in: bytes) else { return }
    icon.take(address, width: width)
  }

  private mutating func readAlternate(_ element: ElementReading, in bytes: Span<UInt8>) {
    guard let type = element.tokenizer.value(of: .type),
      let alternate = LinkRelation.alternate(bytes, type), let address = element.webAddress(.href, in: bytes)
    else { return }
    switch alternate {
    case .feed:
      if feeds.count < element.limits.feeds, !feeds.contains(address) { feeds.append(address) }
    case .jsonEmbedding: jsonEmbedding = jsonEmbedding ?? address
    case .xmlEmbedding: xmlEmbedding = xmlEmbedding ?? address
    }
  }
}

/// Reads the attributes of the tag a tokenizer is behind.
struct ElementReading {
  let tokenizer: Tokenizer
  let limits: PageLimits

  func value(of name: MetaName, in bytes: Span<UInt8>) -> String? {
    switch name.kind {
    case .title: text(.content, in: bytes, limit: limits.titleBytes)
    case .description: text(.content, in: bytes, limit: limits.descriptionBytes)
    case .short: text(.content, in: bytes, limit: limits.shortTextBytes)
    case .address: webAddress(.content, in: bytes)
    case .author:
      text(.content, in: bytes, limit: limits.shortTextBytes).flatMap { AuthorName.isOne($0) ? $0 : nil }
    }
  }

  func text(_ name: AttributeName, in bytes: Span<UInt8>, limit: Int) -> String? {
    guard let range = tokenizer.value(of: name) else { return nil }
    return bytes.plainText(in: range, limit: limit)
      ?? TextCollector.text(of: bytes, range, as: .attribute, limit: limit)
  }

  /// An address that HTTP may fetch; others are passed over, so that they hide none behind them.
  func webAddress(_ name: AttributeName, in bytes: Span<UInt8>) -> String? {
    address(name, in: bytes).flatMap { WebAddress.mayBeFetched($0) ? $0 : nil }
  }

  /// An address as the page writes it; one that is too long is none, because half an address is wrong.
  func address(_ name: AttributeName, in bytes: Span<UInt8>) -> String? {
    guard let range = tokenizer.value(of: name).map({ bytes.trimmed($0) }),
      range.count <= limits.addressBytes
    else { return nil }
    return bytes.plainText(in: range, limit: limits.addressBytes)
      ?? TextCollector.text(
        of: bytes, range, as: .attribute, limit: limits.addressBytes, collapsesSpace: false)
  }
}
