package import JSONQuery

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
