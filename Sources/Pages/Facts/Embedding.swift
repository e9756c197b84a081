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

/// Providers of oEmbed, for pages that do not name their endpoint.
///
/// The specification says nothing of what a `*` in a path covers. That of its own example, `/photos/*`, covers
/// `/photos/bees/2341623661/`, so a slash is nothing special there. In a host it stands for sub-domains alone.
public struct OEmbedProviders: Sendable {
  /// Those of the public registry that this program carries.
  public static let registered = OEmbedProviders(table: oEmbedProviderTable)

  /// One address of many.
  private struct Pattern: Sendable {
    /// The least number of labels that come before the host.
    let subdomains: Int
    /// What stands around the wildcards.
    let path: [[UInt8]]
    let endpoint: String
  }

  /// By their hosts without wildcards.
  private var patterns: [String: [Pattern]] = [:]

  /// - Parameter table: Words: an endpoint, the patterns of its pages, the next endpoint, and so on.
  init(table: String) {
    var endpoint = ""
    for word in table.split(whereSeparator: \.isWhitespace) {
      guard !word.hasPrefix("http") else {
        endpoint = String(word)
        continue
      }
      let slash = word.firstIndex(of: "/") ?? word.endIndex
      let labels = word[..<slash].split(separator: ".")
      let subdomains = labels.prefix { $0 == "*" }.count
      patterns[labels.dropFirst(subdomains).joined(separator: "."), default: []].append(
        Pattern(
          subdomains: subdomains,
          path: word[slash...].utf8.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)
            .map(Array.init),
          endpoint: endpoint))
    }
  }

  /// The endpoint for JSON about a page; nil where no provider is known. What is said of the host itself counts before what
  /// is said of the sub-domains of a shorter one, then what comes first.
  ///
  /// - Parameters:
  ///   - host: In lower case.
  ///   - path: With the query, if there is one.
  public func endpoint(host: String, path: String) -> String? {
    let labels = host.split(separator: ".")
    let path = Array(path.utf8)
    for subdomains in labels.indices {
      for pattern in patterns[labels[subdomains...].joined(separator: ".")] ?? []
      where pattern.subdomains <= subdomains && (pattern.subdomains > 0 || subdomains == 0) {
        if Self.matches(path, pattern.path) { return pattern.endpoint }
      }
    }
    return nil
  }

  /// Each part between wildcards is looked for as early as can be, and the last one at the end.
  private static func matches(_ path: [UInt8], _ parts: [[UInt8]]) -> Bool {
    guard path.starts(with: parts[0]), parts.count > 1 else { return path == parts[0] }
    var rest = path.dropFirst(parts[0].count)
    for part in parts.dropFirst().dropLast() {
      // A wildcard stands for something.
      var start = rest.startIndex + 1
      while start + part.count <= rest.endIndex, !rest[start...].starts(with: part) { start += 1 }
      guard start + part.count <= rest.endIndex else { return false }
      rest = rest[(start + part.count)...]
    }
    let last = parts[parts.count - 1]
    return rest.count > last.count && rest.suffix(last.count).elementsEqual(last)
  }
}

/// What a reference is, as far as its scheme tells.
enum WebAddress {
  /// Whether it is relative or of a scheme of HTTP; read as browsers do, which pass over line breaks and tabs.
  static func mayBeFetched(_ reference: String) -> Bool {
    var scheme: [UInt8] = []
    for byte in reference.utf8.drop(while: { $0 <= .space }) where ![0x09, 0x0A, 0x0D].contains(byte) {
      if byte == UInt8(ascii: ":") {
        return ["", "http", "https"].contains { scheme.elementsEqual($0.utf8) }
      }
      let isPart = byte.isASCIIAlphanumeric || "+-.".utf8.contains(byte)
      guard isPart, !scheme.isEmpty || byte.isASCIILetter else { return true }
      scheme.append(byte.lowercased)
    }
    return true
  }
}
