import JSONQuery
import Pages

extension Card {
  /// JSON members without braces; fields that were not found are left out.
  var members: [UInt8] {
    var row = JSONWriter(reservingCapacity: 1_024)
    for field in CardField.allCases { write(field, to: &row) }
    if !sources.isEmpty {
      row.beginObject("sources")
      for field in CardField.allCases { row.member(field.rawValue, sources[field]?.rawValue) }
      row.endObject()
    }
    return row.bytes
  }

  private func write(_ field: CardField, to row: inout JSONWriter) {
    switch field {
    case .title: row.member(field.rawValue, title)
    case .description: row.member(field.rawValue, description)
    case .image: row.member(field.rawValue, image)
    case .siteName: row.member(field.rawValue, siteName)
    case .canonical: row.member(field.rawValue, canonical)
    case .type: row.member(field.rawValue, type)
    case .icon: row.member(field.rawValue, icon)
    case .language: row.member(field.rawValue, language)
    case .author: row.member(field.rawValue, author)
    case .published: row.member(field.rawValue, published)
    case .feeds: write(feeds, of: field, to: &row)
    case .modified: row.member(field.rawValue, modified)
    case .images: write(images, of: field, to: &row)
    case .amphtml: row.member(field.rawValue, amphtml)
    case .themeColor: row.member(field.rawValue, themeColor)
    case .robots: row.member(field.rawValue, robots)
    case .oembed: row.member(field.rawValue, oembed)
    case .embed: embed?.write(to: &row)
    }
  }

  private func write(_ list: [String], of field: CardField, to row: inout JSONWriter) {
    guard !list.isEmpty else { return }
    row.beginArray(field.rawValue)
    for text in list { row.string(text) }
    row.endArray()
  }
}
