internal import JSONQuery

/// How a row is told to who asked for it.
package enum PreviewShape: Hashable, Sendable, CaseIterable {
  /// The members of the row that are about the link.
  case row
  /// Those without the card.
  case title
  /// An oEmbed response of type `link`.
  case oembed
  /// As iframely's open-source program answers, with one list of links.
  case iframelyFlat
  /// As its cloud answers, with a list of links for each purpose.
  case iframelyGrouped

  /// - Parameter cacheSeconds: How long the answer may be kept.
  package func body(of row: PreviewRow, cacheSeconds: Int) -> [UInt8] {
    var writer = JSONWriter(reservingCapacity: 1_024)
    writer.beginObject()
    switch self {
    case .row: Self.write(row, without: Self.ofBatch, to: &writer)
    case .title: Self.write(row, without: Self.ofBatch.union(["card"]), to: &writer)
    case .oembed: Self.writeOEmbed(row, cacheSeconds, to: &writer)
    case .iframelyFlat, .iframelyGrouped: writeIframely(row, to: &writer)
    }
    writer.endObject()
    return writer.bytes
  }

  /// What a row has of its batch, its own answer has not.
  private static let ofBatch: Set = [
    "schema", "id", "batch", "ordinal", "kind", "kept", "attempts", "status", "error", "input", "ms",
    "cached", "age", "revalidated",
  ]

  private static func write(_ row: PreviewRow, without left: Set<String>, to writer: inout JSONWriter) {
    writer.member("link", row.text("input"))
    for (name, value) in row.root.members where !left.contains(name) {
      writer.key(name)
      writer.value(value)
    }
  }

  private static func writeOEmbed(_ row: PreviewRow, _ cacheSeconds: Int, to writer: inout JSONWriter) {
    writer.member("version", "1.0")
    writer.member("type", "link")
    writer.member("title", row.title)
    writer.member("author_name", row.embed("author_name") ?? row.card("author"))
    // What iframely's own endpoint calls it.
    writer.member("author", row.embed("author_name") ?? row.card("author"))
    writer.member("author_url", row.embed("author_url"))
    writer.member("provider_name", row.embed("provider_name") ?? row.card("site_name"))
    writer.member("provider_url", row.embed("provider_url") ?? row.site)
    writer.member("description", row.card("description"))
    writer.member("url", row.url)
    writer.member("cache_age", cacheSeconds)
    // Only together, as the specification has it.
    guard let image = row.card("image"), let width = row.cardNumber("image_width"),
      let height = row.cardNumber("image_height")
    else { return }
    writer.member("thumbnail_url", image)
    writer.member("thumbnail_width", width)
    writer.member("thumbnail_height", height)
  }

  private struct Link {
    var purpose: String
    var href: String
    var rel: [String]
    var type: String
    var size: (width: Int64, height: Int64)?
  }

  private static func links(of row: PreviewRow) -> [Link] {
    var links: [Link] = []
    if let image = row.card("image") {
      let size = row.cardNumber("image_width").flatMap { width in
        row.cardNumber("image_height").map { (width, $0) }
      }
      let source = row.source(of: "image").map { [$0] } ?? []
      links.append(
        Link(
          purpose: "thumbnail", href: image, rel: ["thumbnail"] + source,
          type: row.card("image_type") ?? "image",
          size: size))
    }
    if let icon = row.card("icon") {
      links.append(Link(purpose: "icon", href: icon, rel: ["icon"], type: "image/icon"))
    }
    return links
  }

  private func writeIframely(_ row: PreviewRow, to writer: inout JSONWriter) {
    writer.member("url", row.url)
    writer.beginObject("meta")
    writer.member("title", row.title)
    writer.member("description", row.card("description"))
    writer.member("author", row.embed("author_name") ?? row.card("author"))
    writer.member("author_url", row.embed("author_url"))
    writer.member("site", row.card("site_name"))
    writer.member("canonical", row.card("canonical") ?? row.url)
    writer.member("date", row.card("published"))
    writer.member("language", row.card("language"))
    writer.endObject()
    let links = Self.links(of: row)
    if self == .iframelyGrouped {
      writer.beginObject("links")
      for link in links { writer.objects(link.purpose, of: [link]) { Self.write($1, to: &$0) } }
      writer.endObject()
    } else {
      writer.objects("links", of: links) { Self.write($1, to: &$0) }
    }
  }

  private static func write(_ link: Link, to writer: inout JSONWriter) {
    writer.member("href", link.href)
    writer.member("rel", link.rel)
    writer.member("type", link.type)
    guard let size = link.size else { return }
    writer.beginObject("media")
    writer.member("width", size.width)
    writer.member("height", size.height)
    writer.endObject()
  }

  /// The answer about a link of which nothing can be shown.
  package static func iframelyError(_ problem: Problem) -> (status: Int, body: [UInt8]) {
    let status =
      switch problem.status {
      case 400, 403, 404, 415: problem.status
      case 401: 403
      case 504: 408
      default: problem.serversStatus.map { [404, 410].contains($0) ? Int($0) : 417 } ?? 417
      }
    var writer = JSONWriter(reservingCapacity: 128)
    writer.beginObject()
    writer.beginObject("error")
    writer.member("source", "iframely")
    writer.member("code", status)
    writer.member("message", problem.detail)
    writer.endObject()
    writer.endObject()
    return (status, writer.bytes)
  }
}
