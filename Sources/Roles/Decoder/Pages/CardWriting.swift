import JSONQuery
import Pages

extension Card {
  /// JSON members without braces; fields that were not found are left out.
  var members: [UInt8] {
    var row = JSONWriter(reservingCapacity: 1_024)
    var origins: [(CardField, CardOrigin)] = []
    origins.reserveCapacity(12)
    for field in CardField.allCases {
      guard let (value, origin) = found(field) else { continue }
      switch value {
      case .text(let text): row.member(field.rawValue, text)
      case .pixels(let number): row.member(field.rawValue, number)
      case .list(let texts): row.member(field.rawValue, texts)
      case .embedding(let embedding): embedding.write(to: &row)
      }
      origins.append((field, origin))
    }
    if !origins.isEmpty {
      row.beginObject("sources")
      for (field, origin) in origins { row.member(field.rawValue, origin.rawValue) }
      row.endObject()
    }
    return row.bytes
  }

  /// The card again that was written before its endpoint is asked, so it has nothing embedded.
  init(_ written: JSONValue) {
    self.init()
    for field in CardField.allCases where field != .embed {
      guard let value = written[field.rawValue],
        let origin = written["sources"]?[field.rawValue]?.string.flatMap(CardOrigin.init)
      else { continue }
      switch value.kind {
      case .string: offer(field, value.string, from: origin)
      case .array: offer(field, .list(value.elements.compactMap(\.string)), from: origin)
      default: offer(field, value.int64.map { .pixels(Int(clamping: $0)) }, from: origin)
      }
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
  /// Writes a page's or a document's title, and where it stood.
  mutating func title(_ title: String?, from source: TitleSource?) {
    member("title", title)
    member("title_source", source?.rawValue)
  }
}
