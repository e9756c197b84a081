import JSONQuery

/// The nodes of a page's JSON-LD, each with what refers to it resolved.
struct LinkedData {
  /// What one page's nodes may cost, however they are nested.
  private static let mostNodes = 500
  /// Larger ones are not referred to: every reference is looked through for names.
  private static let mostMembers = 200
  private static let limits = JSONLimits(depth: 64, values: 50_000)

  private(set) var nodes: [JSONValue] = []
  private var byID: [String: JSONValue] = [:]

  /// What is no JSON is left out.
  init(_ scripts: [[UInt8]]) {
    for script in scripts {
      guard let document = try? JSONDocument(parsing: Self.withoutWrapping(script), limits: Self.limits)
      else {
        continue
      }
      add(document.root)
    }
  }

  /// Lists and graphs are walked, and nodes named by `@id`.
  private mutating func add(_ root: JSONValue) {
    var waiting = [root]
    while let value = waiting.popLast(), nodes.count < Self.mostNodes {
      switch value.kind {
      case .array:
        waiting += value.elements.prefix(Self.mostNodes).reversed()
      case .object:
        if value["@type"] != nil { nodes.append(value) }
        if (2...Self.mostMembers).contains(value.count), let id = value["@id"]?.string, byID[id] == nil {
          byID[id] = value
        }
        if let graph = value["@graph"] { waiting.append(graph) }
      case .string, .number, .bool, .null: break
      }
    }
  }

  /// A node that is only named by its `@id` here and described elsewhere.
  func resolved(_ value: JSONValue) -> JSONValue {
    guard value.kind == .object, value.count == 1, let id = value["@id"]?.string else { return value }
    return byID[id] ?? value
  }

  /// The names of a node's types, without what stands before them in an address.
  static func types(of node: JSONValue) -> [String] {
    guard let type = node["@type"] else { return [] }
    let names =
      type.kind == .array ? type.elements.prefix(16).compactMap(\.string) : [type.string].compactMap(\.self)
    return names.map { name in
      guard name.utf8.contains(where: { $0 == UInt8(ascii: ":") || $0 == .slash }) else { return name }
      return String(name.split { "/#:".contains($0) }.last ?? "")
    }
  }

  private static let openings = ["<!--", "<![CDATA[", "//", "/*", "*/"].map { Array($0.utf8) }
  private static let closings = ["-->", "]]>", "//", "/*", "*/", ";"].map { Array($0.utf8) }

  /// Takes off comments and CDATA marks around a script's content, as templates write them for old browsers.
  static func withoutWrapping(_ script: [UInt8]) -> [UInt8] {
    var rest = script[...].drop(while: isPadding)
    while let opening = openings.first(where: rest.starts(with:)) {
      rest = rest.dropFirst(opening.count).drop(while: isPadding)
    }
    func trim() { while let last = rest.last, isPadding(last) { rest.removeLast() } }
    trim()
    while let closing = closings.first(where: { rest.suffix($0.count).elementsEqual($0) }) {
      rest = rest.dropLast(closing.count)
      trim()
    }
    return Array(rest)
  }

  private static func isPadding(_ byte: UInt8) -> Bool { byte.isHTMLSpace || byte == 0xA0 || byte == 0xC2 }
}

/// What JSON-LD says about the page, addresses as they are written there.
struct LinkedDataFacts {
  private(set) var image: DeclaredImage?
  private var texts: [CardField: String] = [:]

  subscript(field: CardField) -> String? { texts[field] }

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
    let limits = reading.limits
    if subject == .site {
      return offer(.siteName, reading.text(node, ["name", "alternateName"], limits.shortTextBytes))
    }
    offer(.title, reading.text(node, ["headline", "name"], limits.titleBytes))
    offer(.description, reading.text(node, ["description"], limits.descriptionBytes))
    image = image ?? reading.image(node, ["image", "thumbnailUrl", "primaryImageOfPage"])
    offer(.author, reading.name(node, ["author", "creator"], if: AuthorName.isOne))
    offer(.published, reading.text(node, ["datePublished", "uploadDate"], limits.shortTextBytes))
    offer(.modified, reading.text(node, ["dateModified"], limits.shortTextBytes))
    offer(.siteName, reading.name(node, ["publisher", "isPartOf"]))
    offer(.language, reading.language(node, ["inLanguage"]))
    offer(.type, reading.type(of: node))
  }

  private mutating func offer(_ field: CardField, _ text: @autoclosure () -> String?) {
    if texts[field] == nil { texts[field] = text() }
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
