import JSONQuery

/// What JSON-LD says about the page, addresses as they are written there.
struct LinkedDataFacts {
  var title: String?
  var description: String?
  var image: DeclaredImage?
  var author: String?
  var published: String?
  var modified: String?
  var siteName: String?
  var type: String?
  var language: String?

  init() {}

  /// Reads the node that is most likely the page's subject; of equals the first.
  init(_ scripts: [[UInt8]], limits: PageLimits) {
    guard !scripts.isEmpty else { return }
    let data = LinkedData(scripts)
    let reading = NodeReading(data: data, limits: limits)
    let ranked = data.nodes.enumerated().compactMap { index, node in
      Subject(of: node).map { (subject: $0, index: index, node: node) }
    }
    let ordered = ranked.sorted { ($0.subject, $0.index) < ($1.subject, $1.index) }
    for (subject, _, node) in ordered { read(node, as: subject, with: reading) }
  }

  /// Nodes that come later only fill what is missing.
  private mutating func read(_ node: JSONValue, as subject: Subject, with reading: NodeReading) {
    if subject == .site {
      siteName = siteName ?? reading.text(node, ["name", "alternateName"], reading.limits.shortTextBytes)
      return
    }
    title = title ?? reading.text(node, ["headline", "name"], reading.limits.titleBytes)
    description = description ?? reading.text(node, ["description"], reading.limits.descriptionBytes)
    image = image ?? reading.image(node, ["image", "thumbnailUrl", "primaryImageOfPage"])
    author = author ?? reading.name(node, ["author", "creator"], if: AuthorName.isOne)
    published =
      published ?? reading.text(node, ["datePublished", "uploadDate"], reading.limits.shortTextBytes)
    modified = modified ?? reading.text(node, ["dateModified"], reading.limits.shortTextBytes)
    siteName = siteName ?? reading.name(node, ["publisher", "isPartOf"])
    language = language ?? reading.language(node, ["inLanguage"])
    type = type ?? reading.type(of: node)
  }
}

/// What a node of JSON-LD is about, the most telling first.
private enum Subject: Int, Comparable {
  case article
  case work
  case page
  case site

  static func < (one: Subject, other: Subject) -> Bool { one.rawValue < other.rawValue }

  private static let works: Set = [
    "Product", "ProductGroup", "Recipe", "VideoObject", "Movie", "Book", "Event", "Course", "JobPosting",
    "SoftwareApplication", "MobileApplication", "WebApplication", "MusicAlbum", "MusicRecording",
    "PodcastEpisode",
    "PodcastSeries", "TVSeries", "TVEpisode", "Dataset", "SoftwareSourceCode", "Question", "HowTo",
    "CreativeWork",
    "DiscussionForumPosting", "SocialMediaPosting", "LiveBlogPosting", "Review",
  ]

  /// Nil for what is only part of a page: people, images, lists, organizations.
  init?(of node: JSONValue) {
    let types = LinkedData.types(of: node)
    if types.contains(where: { $0.hasSuffix("Article") || $0 == "BlogPosting" || $0 == "Report" }) {
      self = .article
    } else if types.contains(where: Self.works.contains) {
      self = .work
    } else if types.contains("WebSite") {
      self = .site
    } else if types.contains(where: { $0.hasSuffix("Page") }) {
      self = .page
    } else {
      return nil
    }
  }
}

/// Reads the properties of nodes, in the many shapes they have.
private struct NodeReading {
  let data: LinkedData
  let limits: PageLimits

  func text(_ node: JSONValue, _ names: [String], _ limit: Int) -> String? {
    first(of: node, names) { value in text(of: value, limit) }
  }

  func type(of node: JSONValue) -> String? {
    LinkedData.types(of: node).lazy.filter { $0.utf8.count <= limits.shortTextBytes }.compactMap(plain).first
  }

  /// The name of a person or an organization, or what stands in its place.
  func name(
    _ node: JSONValue, _ names: [String], if isName: (String) -> Bool = { !$0.contains("://") }
  ) -> String? {
    first(of: node, names) { value in
      let named = data.resolved(value)
      let text = text(of: named, limits.shortTextBytes) ?? text(named, ["name"], limits.shortTextBytes)
      return text.flatMap { isName($0) ? $0 : nil }
    }
  }

  /// A tag such as `en`, be it the other name of an object that describes the language.
  func language(_ node: JSONValue, _ names: [String]) -> String? {
    first(of: node, names) { value in
      let named = data.resolved(value)
      return text(of: named, limits.shortTextBytes)
        ?? first(of: named, ["alternateName", "identifier", "name"]) { value in
          text(of: value, limits.shortTextBytes).flatMap { Self.isLanguageTag($0) ? $0 : nil }
        }
    }
  }

  /// Whether it begins as `en` and `pt-BR` do: `English` is a name.
  private static func isLanguageTag(_ text: String) -> Bool {
    (2...3).contains(text.utf8.prefix { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }.count)
      && text.utf8.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: " ") }
  }

  func image(_ node: JSONValue, _ names: [String]) -> DeclaredImage? {
    first(of: node, names) { value in
      let named = data.resolved(value)
      guard let address = address(of: named) ?? first(of: named, ["url", "contentUrl"], address(of:)) else {
        return nil
      }
      return DeclaredImage(address: address, width: pixels(named, "width"), height: pixels(named, "height"))
    }
  }

  /// A number, be it written as a text or as the value of an object.
  private func pixels(_ node: JSONValue, _ name: String) -> Int? {
    guard let value = node[name].map({ $0["value"] ?? $0 }) else { return nil }
    return DeclaredImage.pixels(value.int64.map { Int(clamping: $0) } ?? value.string.flatMap { Int($0) })
  }

  private func address(of value: JSONValue) -> String? {
    guard let text = text(of: value, limits.addressBytes + 1), text.utf8.count <= limits.addressBytes,
      WebAddress.mayBeFetched(text)
    else { return nil }
    return text
  }

  /// The first usable value of the first name that has one.
  private func first<Found>(
    of node: JSONValue, _ names: [String], _ read: (JSONValue) -> Found?
  ) -> Found? {
    for name in names {
      if let found = node[name].flatMap({ first(in: $0, depth: 0, read) }) { return found }
    }
    return nil
  }

  /// Lists may stand in lists, and in objects that say that they are lists.
  private func first<Found>(in value: JSONValue, depth: Int, _ read: (JSONValue) -> Found?) -> Found? {
    let list = value["@list"] ?? value["@set"] ?? value
    guard list.kind == .array else { return read(value) }
    guard depth < 3 else { return nil }
    return list.elements.prefix(16).lazy.compactMap { first(in: $0, depth: depth + 1, read) }.first
  }

  /// A string, be it written as `{"@value": …}`.
  private func text(of value: JSONValue, _ limit: Int) -> String? {
    guard let string = value.string ?? value["@value"]?.string else { return nil }
    return plain(string, limit)
  }

  private func plain(_ string: String) -> String? { plain(string, limits.shortTextBytes) }

  private func plain(_ string: String, _ limit: Int) -> String? {
    TextCollector.text(of: string, as: .literal, limit: limit)
  }
}
