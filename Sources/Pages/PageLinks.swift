import Posix

/// The links of an HTML document in their order, one at a time and in linear time.
///
/// They are what a browser would follow or load: anchors, images, scripts, style sheets, frames and media. Forms, and hosts
/// to connect to early, are none.
public struct PageLinks: IteratorProtocol, Sendable {
  public struct Link: Hashable, Sendable {
    /// Without the white space around it, and with its references decoded.
    public var reference: [UInt8]
    /// Where it begins, in bytes of the document.
    public var offset: Int
    /// The text of an anchor, or what stands for an image that is not shown.
    public var text: String?

    public init(reference: [UInt8], offset: Int, text: String? = nil) {
      (self.reference, self.offset, self.text) = (reference, offset, text)
    }
  }

  /// The links that wait for an anchor's end.
  private static let mostWaiting = 256
  private static let anchor = ElementCode("a")

  private let bytes: [UInt8]
  private let longestText: Int
  private var tokenizer = Tokenizer()
  private var stack = ElementStack()
  private var found: [Link] = []
  private var taken = 0
  /// Which of those found is an anchor that is still open, and its text so far.
  private var open: (index: Int, text: TextCollector)?
  private var hasEnded = false
  /// What the first `base` element says, as far as the document was read.
  private var base: [UInt8]?

  /// Keeps so many bytes of a link's text.
  public init(_ bytes: [UInt8], longestText: Int) {
    (self.bytes, self.longestText) = (bytes, longestText)
  }

  /// What the document's first `base` element says.
  public static func base(of bytes: [UInt8]) -> [UInt8]? {
    guard bytes.span.index(of: "<base", from: 0) < bytes.count else { return nil }
    var links = PageLinks(bytes, longestText: 0)
    while links.base == nil, links.next() != nil {}
    return links.base
  }

  public mutating func next() -> Link? {
    while true {
      if open == nil, taken < found.count {
        taken += 1
        return found[taken - 1]
      }
      guard !hasEnded else { return nil }
      if taken == found.count {
        found.removeAll(keepingCapacity: true)
        taken = 0
      }
      readToken(of: bytes)
    }
  }

  private mutating func readToken(of bytes: [UInt8]) {
    let span = bytes.span
    switch tokenizer.next(in: span, markup: .html, allowsCDATA: stack.allowsCDATA) {
    case .text(let range, let kind): open?.text.append(span, range, as: kind)
    case .startTag(let name): started(name, span)
    case .endTag(let name):
      if tokenizer.tagName == Self.anchor { closeAnchor() }
      stack.closed(name, tokenizer.tagName)
    case .end:
      hasEnded = true
      closeAnchor()
    }
    if let open, open.text.isFull || found.count >= Self.mostWaiting { closeAnchor() }
  }

  private mutating func started(_ name: TagName, _ bytes: Span<UInt8>) {
    let element = LinkElement.table[tokenizer.tagName]
    if stack.takesForeign(name) {
      guard name.endsForeignContent else {
        stack.openedInsideForeign(
          name, tokenizer.tagName, isSelfClosing: tokenizer.isSelfClosing, isHTMLAnnotation: false)
        if let element { read(element, bytes) }
        return
      }
      stack.leftForeign()
    }
    if let element { read(element, bytes) }
    switch name {
    case _ where name.holdsRawText: _ = tokenizer.rawText(of: name, in: bytes)
    case .plaintext: tokenizer.skipToEnd(of: bytes)
    case .svg, .math: stack.openedForeign(name, isSelfClosing: tokenizer.isSelfClosing)
    default:
      if name == .lineBreak || name == .paragraph || name == .flow { open?.text.appendSpace() }
      if name.hasContent { stack.openedHTML(name, tokenizer.tagName) }
    }
  }

  private mutating func closeAnchor() {
    guard let (index, text) = open else { return }
    found[index].text = text.text
    open = nil
  }

  private mutating func read(_ element: LinkElement, _ bytes: Span<UInt8>) {
    if element == .a { closeAnchor() }
    var values: [LinkAttribute: Range<Int>] = [:]
    var scan = AttributeScan(position: tokenizer.attributesStart)
    while let (name, value) = scan.next(in: bytes) {
      guard let known = LinkAttribute.table[bytes, name], values[known] == nil else { continue }
      values[known] = bytes.trimmed(value)
    }
    if element == .link, let rel = values[.rel], Self.onlyConnects(rel, bytes) { return }
    let written = element.attributes.compactMap { name in values[name].map { (name, $0) } }
    for (name, range) in written.sorted(by: { $0.1.lowerBound < $1.1.lowerBound }) where !range.isEmpty {
      if element == .base {
        base = base ?? reference(range, bytes)
      } else if name == .srcset {
        var candidates = ImageCandidates(in: range)
        while let candidate = candidates.next(in: bytes) { add(candidate, nil, bytes) }
      } else {
        add(range, values[.alt], bytes)
        if element == .a, open == nil { open = (found.count - 1, TextCollector(limit: longestText)) }
      }
    }
    if element == .img, let alt = values[.alt] {
      open?.text.appendSpace()
      open?.text.append(bytes, alt, as: .attribute)
      open?.text.appendSpace()
    }
  }

  private mutating func add(_ range: Range<Int>, _ alt: Range<Int>?, _ bytes: Span<UInt8>) {
    let text = alt.flatMap { TextCollector.text(of: bytes, $0, as: .attribute, limit: longestText) }
    found.append(Link(reference: reference(range, bytes), offset: range.lowerBound, text: text))
  }

  /// Bytes that are not UTF-8 stay as they are: repaired, they would lead somewhere else.
  private func reference(_ range: Range<Int>, _ bytes: Span<UInt8>) -> [UInt8] {
    var raw = bytes.extracting(range).copied
    if raw.contains(.ampersand), String(validating: raw, as: UTF8.self) != nil {
      let text = TextCollector.text(
        of: bytes, range, as: .attribute, limit: 2 * raw.count, collapsesSpace: false)
      raw = Array((text ?? "").utf8)
    }
    return raw
  }

  /// Names of hosts to look up or to connect to early.
  private static func onlyConnects(_ rel: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
    bytes.spells("preconnect", in: rel) || bytes.spells("dns-prefetch", in: rel)
  }
}

/// The elements of HTML and svg that refer to something else.
enum LinkElement: String, CaseIterable, Sendable {
  case a
  case area
  case audio
  case base
  case blockquote
  case del
  case embed
  case frame
  case iframe
  case image
  case img
  case input
  case ins
  case link
  case object
  case q
  case script
  case source
  case track
  case video

  static let table = ElementTable<LinkElement>(allCases.map { ($0.rawValue, $0) })

  /// Those whose values are references.
  var attributes: [LinkAttribute] {
    switch self {
    case .a, .image: [.href, .xlinkHref]
    case .area, .base, .link: [.href]
    case .audio, .embed, .frame, .iframe, .input, .script, .track: [.src]
    case .img, .source: [.src, .srcset]
    case .video: [.src, .poster]
    case .object: [.data]
    case .blockquote, .del, .ins, .q: [.cite]
    }
  }
}

/// The attributes that matter for a document's links.
enum LinkAttribute: String, CaseIterable, Sendable {
  case alt
  case cite
  case data
  case href
  case poster
  case rel
  case src
  case srcset
  case xlinkHref = "xlink:href"

  static let table = WordTable<LinkAttribute>(allCases.map { ($0.rawValue, $0) })
}

/// The addresses in a `srcset`, each with a width or a density behind it.
struct ImageCandidates {
  private var position: Int
  private let end: Int

  init(in range: Range<Int>) { (position, end) = (range.lowerBound, range.upperBound) }

  mutating func next(in bytes: Span<UInt8>) -> Range<Int>? {
    while position < end, bytes[position].isHTMLSpace || bytes[position] == Self.comma { position &+= 1 }
    guard position < end else { return nil }
    let start = position
    while position < end, !bytes[position].isHTMLSpace { position &+= 1 }
    var last = position
    while bytes[last &- 1] == Self.comma { last &-= 1 }
    if last == position { skipDescriptors(in: bytes) }
    return start..<last
  }

  /// A comma inside parentheses separates nothing.
  private mutating func skipDescriptors(in bytes: Span<UInt8>) {
    var depth = 0
    while position < end, bytes[position] != Self.comma || depth > 0 {
      if bytes[position] == UInt8(ascii: "(") { depth += 1 }
      if bytes[position] == UInt8(ascii: ")") { depth = max(0, depth - 1) }
      position &+= 1
    }
  }

  private static let comma = UInt8(ascii: ",")
}
