import JSONQuery

/// What a page's oEmbed endpoint says about it (oembed.com, version 1.0).
public struct Embedding: Hashable, Sendable {
  /// Texts, addresses and markup.
  public private(set) var texts: [EmbedField: String] = [:]
  /// Widths and heights, in pixels.
  public private(set) var pixels: [EmbedField: Int] = [:]

  /// Why bytes say nothing.
  public enum Fault: Error, Hashable, Sendable {
    case notJSON(String)
    /// It is JSON, and holds none of the fields.
    case saysNothing
  }

  private static let limits = JSONLimits(depth: 64, values: 10_000)
  /// A player's frame is smaller; more is a page of its own.
  private static let longestMarkup = 4 << 10

  /// - Parameter resolve: Makes an address absolute; returns nil when it cannot.
  public init(
    parsing body: [UInt8], resolve: (_ reference: String) -> String?
  ) throws(Fault) {
    let limits = PageLimits()
    let root: JSONValue
    do {
      root = try JSONDocument(parsing: body, limits: Self.limits).root
    } catch {
      throw .notJSON(error.message)
    }
    for field in EmbedField.allCases {
      guard let value = root[field.rawValue] else { continue }
      switch field.form {
      case .text: texts[field] = Self.text(value, field == .title ? limits.titleBytes : limits.shortTextBytes)
      case .address: texts[field] = Self.address(value, limits.addressBytes, resolve)
      case .markup: texts[field] = value.string.flatMap { $0.utf8.count > Self.longestMarkup ? nil : $0 }
      case .pixels: pixels[field] = Self.pixels(value)
      }
    }
    guard !texts.isEmpty else { throw .saysNothing }
  }

  /// Many sites write their titles as in a page, references and all.
  private static func text(_ value: JSONValue, _ limit: Int) -> String? {
    value.string.flatMap { TextCollector.text(of: $0, as: .text, limit: limit) }
  }

  private static func address(
    _ value: JSONValue, _ limit: Int, _ resolve: (_ reference: String) -> String?
  ) -> String? {
    guard let string = value.string, !string.isBlank, string.utf8.count <= limit, let url = resolve(string),
      url.hasPrefix("https://") || url.hasPrefix("http://")
    else { return nil }
    return url
  }

  /// Some write it as a string; `100%` is no number of pixels.
  private static func pixels(_ value: JSONValue) -> Int? {
    guard let number = value.int64 ?? value.string.flatMap({ Int64($0) }),
      (0...DeclaredImage.mostPixels).contains(number)
    else { return nil }
    return Int(number)
  }
}

/// The fields of an oEmbed answer that are read; raw values are their names there.
public enum EmbedField: String, CaseIterable, Sendable {
  case type
  case title
  case authorName = "author_name"
  case authorURL = "author_url"
  case providerName = "provider_name"
  case providerURL = "provider_url"
  /// Of a photo.
  case url
  case thumbnailURL = "thumbnail_url"
  case thumbnailWidth = "thumbnail_width"
  case thumbnailHeight = "thumbnail_height"
  case width
  case height
  /// Exactly as received, not sanitized.
  case html

  enum Form {
    case text
    case address
    case markup
    case pixels
  }

  var form: Form {
    switch self {
    case .type, .title, .authorName, .providerName: .text
    case .authorURL, .providerURL, .url, .thumbnailURL: .address
    case .html: .markup
    case .thumbnailWidth, .thumbnailHeight, .width, .height: .pixels
    }
  }
}

extension Card {
  /// Takes what the endpoint says, and fills with it what the page left empty.
  public mutating func take(_ embedding: Embedding) {
    offer(.embed, .embedding(embedding), from: .oembed)
    let photo = embedding.texts[.type] == "photo" ? embedding.texts[.url] : nil
    offer(.title, embedding.texts[.title], from: .oembed)
    offer(.author, embedding.texts[.authorName], from: .oembed)
    offer(.siteName, embedding.texts[.providerName], from: .oembed)
    offer(.image, embedding.texts[.thumbnailURL] ?? photo, from: .oembed)
    guard let image = self[.image] else { return }
    for (address, width, height) in [
      (embedding.texts[.thumbnailURL], EmbedField.thumbnailWidth, EmbedField.thumbnailHeight),
      (photo, .width, .height),
    ] where address == image {
      describeImage(
        DeclaredImage(
          address: image, width: DeclaredImage.pixels(embedding.pixels[width]),
          height: DeclaredImage.pixels(embedding.pixels[height])),
        from: .oembed)
    }
  }
}
