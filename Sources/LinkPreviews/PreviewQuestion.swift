internal import HTTPMessages
package import JSONQuery
package import Links
package import Pipeline

/// What is asked about a link, and how the answer is to be told.
package struct PreviewQuestion: Hashable, Sendable {
  package private(set) var key: PreviewKey
  /// Of the link.
  package private(set) var host = Host.domain("")
  package private(set) var shape: PreviewShape
  package private(set) var timeoutMilliseconds = Self.usualTimeout
  /// The largest thumbnail of an oEmbed response.
  private var mostWidth = Int64.max
  private var mostHeight = Int64.max
  /// What is kept is not good enough.
  package private(set) var wantsNew = false

  private static let longestLink = 8 << 10
  private static let usualTimeout: Int64 = 10_000
  package static let longestTimeout: Int64 = 30_000

  /// How clients of iframely name a token.
  package static let tokenNames: Set = ["api_key", "key"]
  /// What a query can say beside the link.
  private static let ownNames: Set = [
    "lang", "timeout", "wait", "refresh", "format", "group", "maxwidth", "maxheight", "api_key", "key",
    "callback",
  ]

  /// - Parameters:
  ///   - query: As it was sent.
  ///   - namesLink: Whether the link is in it; else `about` has it.
  package init(
    query: String?, kind: JobKind, as shape: PreviewShape, namesLink: Bool = true
  ) throws(Problem) {
    var (link, own): (String?, [String: String]) = (nil, [:])
    var rest = (query ?? "")[...]
    while !rest.isEmpty {
      let part = rest.prefix { $0 != "&" }
      let name = String(part.prefix { $0 != "=" })
      let value = part.dropFirst(name.count + 1)
      let isLink = link == nil && ["url", "uri"].contains(name)
      let isPlain = isLink && value.contains("://")
      let end = isPlain ? Self.endOfLink(rest, as: shape) : part.endIndex
      let text = rest[value.startIndex..<end]
      guard let decoded = isPlain ? String(text) : queryDecoded(text.utf8) else {
        throw Self.wrong("\(isLink ? "the link" : name) is not encoded as a part of a query is")
      }
      if isLink { link = decoded } else { own[name] = decoded }
      rest = rest[end...].dropFirst()
    }
    key = PreviewKey(kind: kind, link: "", language: own["lang"])
    self.shape = shape
    try take(own)
    if namesLink { try set(link ?? "") }
  }

  /// The same about another link, as a user writes it.
  package func about(_ link: String) throws(Problem) -> PreviewQuestion {
    var other = self
    try other.set(link)
    return other
  }

  /// As the answer is to be told.
  package func shape(for kept: KeptPreview) -> PreviewShape {
    guard shape == .oembed, min(mostWidth, mostHeight) < .max, let size = kept.read.imageSize,
      size.width > mostWidth || size.height > mostHeight
    else { return shape }
    return .oembedWithoutThumbnail
  }

  /// Links that lead to the same request are one.
  private mutating func set(_ link: String) throws(Problem) {
    guard link.utf8.count <= Self.longestLink else {
      throw Problem(.invalidInput, "the link has more than \(Self.longestLink) bytes")
    }
    let url: WebURL
    do throws(LinkError) {
      url = try WebURL.userInput(link)
    } catch .empty {
      throw Problem(.missingInput, "there is no link: say which, as ?url=…")
    } catch .unsupportedScheme(let scheme) {
      throw Problem(.unsupportedScheme, LinkError.unsupportedScheme(scheme).message)
    } catch {
      throw Self.wrong("'\(printableLink(link))': \(error.message)")
    }
    guard url.credentials == nil else {
      throw Self.wrong("the link has a password, and what it shows would be kept for others")
    }
    (key.link, host) = (url.requestURL, url.host)
  }

  private mutating func take(_ own: [String: String]) throws(Problem) {
    if let language = key.language, !LanguageList.isOne(language) {
      throw Self.wrong("lang: '\(language)' \(LanguageList.complaint)")
    }
    if let text = own["timeout"] {
      let number = text.hasSuffix("s") ? text.dropLast() : text[...]
      guard let seconds = Double(number), seconds > 0, seconds * 1_000 <= Double(Self.longestTimeout) else {
        throw Self.wrong("timeout can be more than 0 and up to \(Self.longestTimeout / 1_000) seconds")
      }
      timeoutMilliseconds = max(1, Int64(seconds * 1_000))
    }
    for (name, values) in [("wait", ["0", "1"]), ("refresh", ["0", "1", "false", "true"])] {
      guard let text = own[name], !values.contains(text) else { continue }
      throw Self.wrong("\(name) can be \(values.joined(separator: " or "))")
    }
    if own["wait"] == "0" { timeoutMilliseconds = 0 }
    mostWidth = own["maxwidth"].flatMap { Int64($0) } ?? .max
    mostHeight = own["maxheight"].flatMap { Int64($0) } ?? .max
    wantsNew = ["1", "true"].contains(own["refresh"])
    if shape == .iframelyFlat, ["1", "true"].contains(own["group"]) { shape = .iframelyGrouped }
    if shape == .oembed, let format = own["format"], format != "json" {
      throw Problem("not-implemented", 501, "the format '\(format)' is not served; json is")
    }
  }

  /// Where a link ends that was not encoded: some clients of iframely send all of it behind `url`.
  private static func endOfLink(_ rest: Substring, as shape: PreviewShape) -> Substring.Index {
    // A token is never part of a link, or it would be sent there.
    let own = shape.isIframely ? tokenNames : ownNames
    var end = rest.firstIndex(of: "&")
    while let mark = end {
      let next = rest[rest.index(after: mark)...]
      if own.contains(String(next.prefix { $0 != "=" && $0 != "&" })) { return mark }
      end = next.firstIndex(of: "&")
    }
    return rest.endIndex
  }

  private static func wrong(_ detail: String) -> Problem { Problem(.invalidInput, detail) }
}

/// How a row is told to who asked for it.
package enum PreviewShape: Hashable, Sendable {
  /// The members of the row that are about the link.
  case row
  /// Those without the card.
  case title
  /// An oEmbed response of type `link`.
  case oembed
  /// The same for one who takes no thumbnail of its size.
  case oembedWithoutThumbnail
  /// As iframely's open-source program answers, with one list of links.
  case iframelyFlat
  /// As its cloud answers, with a list of links for each purpose.
  case iframelyGrouped

  package var isIframely: Bool { self == .iframelyFlat || self == .iframelyGrouped }

  /// - Parameters:
  ///   - cacheSeconds: How long the answer may be kept.
  ///   - hasTimes: Else nothing that differs with every fetch of a page that stays the same.
  package func write(
    _ row: PreviewRow, cacheSeconds: Int, hasTimes: Bool = true, to writer: inout JSONWriter
  ) {
    let left = hasTimes ? Self.ofBatch : Self.ofBatch.union(["fetched_at", "hops"])
    if !hasTimes { writer.member("steps", row.steps) }
    switch self {
    case .row: row.write(without: left, to: &writer)
    case .title: row.write(without: left.union(["card"]), to: &writer)
    case .oembed, .oembedWithoutThumbnail:
      row.writeOEmbed(cacheSeconds, hasThumbnail: self == .oembed, to: &writer)
    case .iframelyFlat, .iframelyGrouped: row.writeIframely(as: self, to: &writer)
    }
  }

  /// What a row has of its batch, its own answer has not.
  private static let ofBatch: Set = [
    "schema", "id", "batch", "ordinal", "kind", "kept", "attempts", "status", "error", "input", "ms",
    "cached", "age", "revalidated",
  ]
}

extension PreviewRow {
  fileprivate func write(without left: Set<String>, to writer: inout JSONWriter) {
    writer.member("link", text("input"))
    for (name, value) in root.members where !left.contains(name) {
      writer.key(name)
      writer.value(value)
    }
  }

  fileprivate func writeOEmbed(_ cacheSeconds: Int, hasThumbnail: Bool, to writer: inout JSONWriter) {
    writer.member("version", "1.0")
    writer.member("type", "link")
    writer.member("title", title)
    writer.member("author_name", author)
    // What iframely's own endpoint calls it.
    writer.member("author", author)
    writer.member("author_url", embed("author_url"))
    writer.member("provider_name", embed("provider_name") ?? card("site_name"))
    writer.member(
      "provider_url", embed("provider_url") ?? host.map { "\(url.prefix { $0 != ":" })://\($0)/" })
    writer.member("description", card("description"))
    writer.member("url", url)
    writer.member("cache_age", cacheSeconds)
    // Only together, as the specification has it.
    guard hasThumbnail, let image = card("image"), let size = imageSize else { return }
    writer.member("thumbnail_url", image)
    writer.member("thumbnail_width", size.width)
    writer.member("thumbnail_height", size.height)
  }

  fileprivate func writeIframely(as shape: PreviewShape, to writer: inout JSONWriter) {
    writer.member("url", url)
    writer.beginObject("meta")
    writer.member("title", title)
    writer.member("description", card("description"))
    writer.member("author", author)
    writer.member("author_url", embed("author_url"))
    writer.member("site", card("site_name"))
    writer.member("canonical", card("canonical") ?? url)
    writer.member("date", card("published"))
    writer.member("language", card("language"))
    writer.endObject()
    guard shape == .iframelyGrouped else {
      return writer.objects("links", of: iframelyLinks) { $1.write(to: &$0) }
    }
    writer.beginObject("links")
    for link in iframelyLinks { writer.objects(link.rel[0], of: [link]) { $1.write(to: &$0) } }
    writer.endObject()
  }

  private var iframelyLinks: [IframelyLink] {
    var links: [IframelyLink] = []
    if let image = card("image") {
      var rel = ["thumbnail"]
      if let source = root["card"]?["sources"]?["image"]?.string { rel.append(source) }
      // Clients look for the image that Twitter would show: where a page names none for it, the one of Open Graph.
      if rel.last == "og" { rel.append("twitter") }
      links.append(
        IframelyLink(href: image, rel: rel, type: card("image_type") ?? "image", size: imageSize))
    }
    if let icon = card("icon") { links.append(IframelyLink(href: icon, rel: ["icon"], type: "image/icon")) }
    return links
  }
}

/// Something that belongs to a page, as iframely tells it.
private struct IframelyLink {
  var href: String
  /// Its purpose first, by which the grouped shape has it.
  var rel: [String]
  var type: String
  var size: (width: Int64, height: Int64)?

  func write(to writer: inout JSONWriter) {
    writer.member("href", href)
    writer.member("rel", rel)
    writer.member("type", type)
    guard let size else { return }
    writer.beginObject("media")
    writer.member("width", size.width)
    writer.member("height", size.height)
    writer.endObject()
  }
}
