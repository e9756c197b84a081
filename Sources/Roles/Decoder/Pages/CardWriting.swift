import JSONQuery
import Pages

extension Card {
  /// JSON members without braces; fields that were not found are left out.
  var members: [UInt8] {
    var row = JSONWriter(reservingCapacity: 1_024)
    var card = self
    var written: [CardField] = []
    written.reserveCapacity(sources.count)
    for field in CardField.allCases {
      let bytes = row.bytes.count
      switch field {
      case .feeds: row.member(field.rawValue, feeds)
      case .images: row.member(field.rawValue, images)
      case .embed: embed?.write(to: &row)
      case .imageWidth: row.number(field, imageWidth)
      case .imageHeight: row.number(field, imageHeight)
      default: card.withText(of: field) { row.member(field.rawValue, $0) }
      }
      if row.bytes.count > bytes { written.append(field) }
    }
    if !sources.isEmpty {
      row.beginObject("sources")
      for field in written { row.member(field.rawValue, sources[field]?.rawValue) }
      row.endObject()
    }
    return row.bytes
  }

  /// The card again that was written before.
  init(_ written: JSONValue) {
    self.init()
    for field in CardField.allCases {
      withText(of: field) { $0 = written[field.rawValue]?.string }
      sources[field] = written["sources"]?[field.rawValue]?.string.flatMap(CardOrigin.init)
    }
    imageWidth = written[CardField.imageWidth.rawValue]?.int64.map { Int(clamping: $0) }
    imageHeight = written[CardField.imageHeight.rawValue]?.int64.map { Int(clamping: $0) }
    feeds = written[CardField.feeds.rawValue]?.elements.compactMap(\.string) ?? []
    images = written[CardField.images.rawValue]?.elements.compactMap(\.string) ?? []
    // A card is written before its endpoint is asked, so it has nothing embedded.
  }

  /// Where a field that is one text stands; nothing is called for the others.
  private mutating func withText(of field: CardField, _ body: (inout String?) -> Void) {
    switch field {
    case .title: body(&title)
    case .description: body(&description)
    case .image: body(&image)
    case .imageType: body(&imageType)
    case .imageAlt: body(&imageAlt)
    case .siteName: body(&siteName)
    case .canonical: body(&canonical)
    case .type: body(&type)
    case .icon: body(&icon)
    case .language: body(&language)
    case .author: body(&author)
    case .published: body(&published)
    case .modified: body(&modified)
    case .amphtml: body(&amphtml)
    case .themeColor: body(&themeColor)
    case .robots: body(&robots)
    case .oembed: body(&oembed)
    case .feeds, .images, .embed, .imageWidth, .imageHeight: break
    }
  }
}

extension Embedding {
  /// Writes it as a member of a card, under the names that the endpoint uses.
  func write(to card: inout JSONWriter) {
    card.beginObject(CardField.embed.rawValue)
    for field in EmbedField.allCases {
      card.member(field.rawValue, texts[field])
      guard let number = pixels[field] else { continue }
      card.member(field.rawValue, number)
    }
    card.endObject()
  }
}

extension JSONWriter {
  fileprivate mutating func number(_ field: CardField, _ value: Int?) {
    if let value { member(field.rawValue, value) }
  }

  /// Writes a page's or a document's title, and where it stood.
  mutating func title(_ title: String?, from source: TitleSource?) {
    member("title", title)
    member("title_source", source?.rawValue)
  }
}
