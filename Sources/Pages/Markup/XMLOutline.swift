/// Where in an XML document its own title stands: each vocabulary has its place for it.
struct XMLOutline {
  enum Vocabulary {
    case html
    case svg
    case atom
    /// RSS of all versions.
    case rss
    case other
  }

  private(set) var vocabulary: Vocabulary?
  private var depth = 0
  /// Whether the element at depth 2 is the feed's channel.
  private var isInChannel = false

  private static let roots: [ElementCode: Vocabulary] = [
    ElementCode("html"): .html, ElementCode("svg"): .svg, ElementCode("feed"): .atom,
    ElementCode("rss"): .rss,
    ElementCode("rdf:rdf"): .rss,
  ]
  private static let channel = ElementCode("channel")

  /// Whether a title that starts here is the document's.
  var admitsTitle: Bool {
    switch vocabulary {
    case .atom, .svg: depth == 1
    case .rss: depth == 2 && isInChannel
    case .html, .other, nil: true
    }
  }

  mutating func opened(_ code: ElementCode, isSelfClosing: Bool) {
    if vocabulary == nil { vocabulary = Self.roots[code] ?? .other }
    if depth == 1 { isInChannel = code == Self.channel }
    if !isSelfClosing { depth += 1 }
  }

  mutating func closed() {
    if depth > 0 { depth -= 1 }
  }
}
