import JSONQuery

/// What JSON-LD says about the page, addresses as they are written there.
struct LinkedDataFacts {
  var title: String?
  var description: String?
  var image: String?
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
    image = image ?? reading.address(node, ["image", "thumbnailUrl", "primaryImageOfPage"])
    author = author ?? reading.name(node, ["author", "creator"])
    published =
      published ?? reading.text(node, ["datePublished", "uploadDate"], reading.limits.shortTextBytes)
    modified = modified ?? reading.text(node, ["dateModified"], reading.limits.shortTextBytes)
    siteName = siteName ?? reading.name(node, ["publisher", "isPartOf"])
    language = language ?? reading.text(node, ["inLanguage"], reading.limits.shortTextBytes)
    type = type ?? LinkedData.types(of: node).first
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

  /// The name of a person or an organization, or what stands in its place.
  func name(_ node: JSONValue, _ names: [String]) -> String? {
    first(of: node, names) { value in
      let named = data.resolved(value)
      if let text = text(of: named, limits.shortTextBytes) { return text.contains("://") ? nil : text }
      return named["name"].flatMap { text(of: $0, limits.shortTextBytes) }
    }
  }

  func address(_ node: JSONValue, _ names: [String]) -> String? {
    first(of: node, names) { value in
      let named = data.resolved(value)
      for candidate in [named, named["url"], named["contentUrl"]].compactMap(\.self) {
        if let text = text(of: candidate, limits.addressBytes + 1), text.utf8.count <= limits.addressBytes {
          return text
        }
      }
      return nil
    }
  }

  /// The first usable value of the first name that has one.
  private func first(of node: JSONValue, _ names: [String], _ read: (JSONValue) -> String?) -> String? {
    for name in names {
      guard let value = node[name] else { continue }
      let values = value.kind == .array ? Array(value.elements.prefix(16)) : [value]
      for value in values {
        if let text = read(value) { return text }
      }
    }
    return nil
  }

  /// A string, be it written as `{"@value": …}`.
  private func text(of value: JSONValue, _ limit: Int) -> String? {
    guard let string = value.string ?? value["@value"]?.string else { return nil }
    var collector = TextCollector(limit: limit)
    let bytes = Array(string.utf8)
    collector.append(bytes.span, bytes.indices, as: .literal)
    return collector.text
  }
}
