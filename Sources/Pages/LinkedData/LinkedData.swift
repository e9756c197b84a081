import JSONQuery

/// The nodes of a page's JSON-LD, each with what refers to it resolved.
struct LinkedData {
  /// What one page's nodes may cost, however they are nested.
  private static let mostNodes = 500
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
        if let id = value["@id"]?.string, value.count > 1, byID[id] == nil { byID[id] = value }
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
}

extension LinkedData {
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
