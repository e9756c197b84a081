import JSONQuery
import Pages
import Pipeline

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

extension Card {
  /// The card again that was written before.
  init(_ written: JSONValue) {
    self.init()
    for field in CardField.allCases {
      read(field, written[field.rawValue])
      sources[field] = written["sources"]?[field.rawValue]?.string.flatMap(CardOrigin.init)
    }
  }

  private mutating func read(_ field: CardField, _ value: JSONValue?) {
    let text = value?.string
    switch field {
    case .title: title = text
    case .description: description = text
    case .image: image = text
    case .siteName: siteName = text
    case .canonical: canonical = text
    case .type: type = text
    case .icon: icon = text
    case .language: language = text
    case .author: author = text
    case .published: published = text
    case .feeds: feeds = value?.elements.compactMap(\.string) ?? []
    case .modified: modified = text
    case .images: images = value?.elements.compactMap(\.string) ?? []
    case .amphtml: amphtml = text
    case .themeColor: themeColor = text
    case .robots: robots = text
    case .oembed: oembed = text
    // A card is written before its endpoint is asked.
    case .embed: break
    }
  }
}
