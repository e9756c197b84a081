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
    ElementCode("rss"): .rss, ElementCode("rdf"): .rss,
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

/// The prefix that an XML document's root has: elements with it are named by what follows it.
struct RootPrefix {
  private var isKnown = false
  private var prefix: ElementCode?

  /// The name without the root's prefix; nil when it has another or none. The first name asked about is the root's.
  mutating func localName(of name: Range<Int>, in bytes: Span<UInt8>) -> ElementCode? {
    let colon = name.first { bytes[$0] == UInt8(ascii: ":") }
    let own = colon.map { Self.code(of: name.lowerBound..<$0, in: bytes) }
    if !isKnown { (isKnown, prefix) = (true, own) }
    guard let colon, own == prefix else { return nil }
    return Self.code(of: (colon &+ 1)..<name.upperBound, in: bytes)
  }

  private static func code(of range: Range<Int>, in bytes: Span<UInt8>) -> ElementCode {
    var code = ElementCode()
    for index in range { code.add(bytes[index].lowercased) }
    return code
  }
}
