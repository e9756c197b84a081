import CGumbo

/// What a page's tree says, as gumbo builds it by the HTML standard; for comparison only.
struct GumboPage {
  /// Of the first title element in the tree, its white space not touched; nil without such an element.
  private(set) var title: String?
  /// The contents of meta elements by their names in lower case, in the order of the tree.
  private(set) var meta: [String: [String]] = [:]
  /// The addresses of link elements by their relations.
  private(set) var links: [String: [String]] = [:]
  private(set) var base: String?
  private(set) var language: String?

  init(_ utf8: [UInt8]) {
    guard let output = unsafe halyard_gumbo_parse(utf8, utf8.count) else { return }
    defer { unsafe halyard_gumbo_destroy(output) }
    // Not by recursion: pages nest as deep as they like.
    guard let document = unsafe output.pointee.document else { return }
    var open = unsafe [UnsafePointer<GumboNode>(document)]
    while let node = unsafe open.popLast() {
      if let element = unsafe halyard_gumbo_html_element(node) { unsafe read(element) }
      guard let children = unsafe halyard_gumbo_children(node) else { continue }
      for index in unsafe (0..<children.pointee.length).reversed() {
        if let child = unsafe halyard_gumbo_child(children, index) { unsafe open.append(child) }
      }
    }
  }

  private mutating func read(_ element: UnsafePointer<GumboElement>) {
    switch unsafe element.pointee.tag {
    case GUMBO_TAG_TITLE:
      title = unsafe title ?? Self.text(of: element)
    case GUMBO_TAG_META:
      guard let content = unsafe Self.attribute("content", of: element) else { return }
      for attribute in ["property", "name"] {
        guard let name = unsafe Self.attribute(attribute, of: element) else { continue }
        meta[name.htmlTrimmed.lowercased(), default: []].append(content)
      }
    case GUMBO_TAG_LINK:
      guard let address = unsafe Self.attribute("href", of: element),
        let relation = unsafe Self.attribute("rel", of: element)
      else { return }
      links[relation.htmlTrimmed.lowercased(), default: []].append(address)
    case GUMBO_TAG_BASE:
      base = unsafe base ?? Self.attribute("href", of: element)?.trimmed
    case GUMBO_TAG_HTML:
      language = unsafe language ?? Self.attribute("lang", of: element)?.collapsed
    default: break
    }
  }

  private static func attribute(_ name: String, of element: UnsafePointer<GumboElement>) -> String? {
    guard let value = unsafe halyard_gumbo_attribute(element, name) else { return nil }
    return unsafe String(cString: value)
  }

  private static func text(of element: UnsafePointer<GumboElement>) -> String {
    var text = ""
    for index in 0..<(unsafe element.pointee.children.length) {
      guard
        let child = unsafe element.pointee.children.data[Int(index)]?.assumingMemoryBound(to: GumboNode.self),
        let piece = unsafe halyard_gumbo_text(child)
      else { continue }
      text += unsafe String(cString: piece)
    }
    return text
  }
}

extension String {
  private static let htmlSpaces: Set<Unicode.Scalar> = ["\t", "\n", "\u{C}", "\r", " "]

  var htmlTrimmed: String { htmlWords.joined(separator: " ") }

  /// White space stripped and collapsed; nil when nothing is left to see.
  var collapsed: String? {
    let text = htmlTrimmed
    return text.unicodeScalars.allSatisfy(\.properties.isWhitespace) ? nil : text
  }

  /// Without white space at its ends; nil when nothing is left to see.
  var trimmed: String? {
    let isSpace = Self.htmlSpaces.contains
    let start = unicodeScalars.drop(while: isSpace)
    let text = start.reversed().drop(while: isSpace).reversed()
    return text.allSatisfy(\.properties.isWhitespace) ? nil : String(String.UnicodeScalarView(text))
  }

  private var htmlWords: [String] {
    unicodeScalars.split { Self.htmlSpaces.contains($0) }.map { String(String.UnicodeScalarView($0)) }
  }
}
