/// The open elements that decide whether a title is the page's: templates, svg, math, and the places
/// inside the latter two where HTML goes on.
///
/// Elements of HTML are kept only inside such places; of all others it is counted how many are open, because their end
/// tags end an svg that was not closed.
struct ElementStack {
  private enum Kind {
    case template
    case svg
    case math
    /// `foreignObject`, `desc` or `title` of svg, or an annotation that holds HTML.
    case integrationPoint
    /// An element of MathML that holds text, and with it HTML.
    case mathText
    /// Somewhere inside the two kinds before.
    case html
  }

  private struct Element {
    var kind: Kind
    var code: ElementCode
    /// In the words of the HTML standard: end tags of ordinary elements do not reach over it.
    var isSpecial = false
  }

  /// Deeper nesting is passed over, which keeps hostile pages linear.
  private static let deepest = 128
  private static let template = ElementCode(.template)
  private static let annotation = ElementCode(.annotation)

  private var open: [Element] = []
  private var templates = 0
  private var openOutside = [UInt8](repeating: 0, count: ElementCode.buckets)

  /// Whether the innermost element is one of svg or MathML where nothing else than these is understood.
  var isForeign: Bool {
    switch open.last?.kind {
    case .svg, .math: true
    case .template, .integrationPoint, .mathText, .html, nil: false
    }
  }

  /// Whether the innermost element is one of svg or MathML at all.
  var allowsCDATA: Bool {
    switch open.last?.kind {
    case .svg, .math, .integrationPoint, .mathText: true
    case .template, .html, nil: false
    }
  }

  var isEmpty: Bool { open.isEmpty }

  var isInsideTemplate: Bool { templates > 0 }

  /// Whether a start tag belongs to svg or MathML where it stands.
  func takesForeign(_ name: TagName) -> Bool {
    switch open.last?.kind {
    case .svg: true
    case .math: !(name == .svg && open.last?.code == Self.annotation)
    case .mathText: name == .glyph
    case .template, .integrationPoint, .html, nil: false
    }
  }

  mutating func openedTemplate() {
    guard open.count < Self.deepest else { return }
    open.append(Element(kind: .template, code: Self.template))
    templates += 1
  }

  /// A start tag of `svg` or `math` where HTML is understood.
  mutating func openedForeign(_ name: TagName, isSelfClosing: Bool) {
    push(name == .math ? .math : .svg, ElementCode(name), unless: isSelfClosing)
  }

  /// A start tag inside svg or math; `isHTMLAnnotation` tells of an annotation that holds HTML.
  mutating func openedInsideForeign(
    _ name: TagName, _ code: ElementCode, isSelfClosing: Bool, isHTMLAnnotation: Bool
  ) {
    guard let parent = open.last?.kind else { return }
    let isSVG = parent == .svg
    let kind: Kind =
      switch name {
      case .foreignObject, .description, .title: isSVG ? .integrationPoint : .math
      case .mathIdentifier, .mathOperator, .mathNumber, .mathString, .mathText: isSVG ? .svg : .mathText
      case .annotation where isHTMLAnnotation: isSVG ? .svg : .integrationPoint
      default: isSVG ? .svg : .math
      }
    push(kind, code, unless: isSelfClosing)
  }

  /// A start tag of HTML whose element has an end tag.
  mutating func openedHTML(_ name: TagName, _ code: ElementCode) {
    switch open.last?.kind {
    case nil:
      openOutside[code.bucket] = min(openOutside[code.bucket], 254) + 1
    case .integrationPoint, .mathText, .html:
      if name.isSpecial, open.last?.code == Self.paragraph { open.removeLast() }
      guard open.count < Self.deepest else { return }
      open.append(Element(kind: .html, code: code, isSpecial: name.isSpecial))
    case .template, .svg, .math: break
    }
  }

  private static let paragraph = ElementCode(.paragraph)

  private mutating func push(_ kind: Kind, _ code: ElementCode, unless isSelfClosing: Bool) {
    guard !isSelfClosing, open.count < Self.deepest else { return }
    open.append(Element(kind: kind, code: code))
  }

  /// A tag that cannot stand inside svg or math.
  mutating func leftForeign() {
    while isForeign { open.removeLast() }
  }

  /// Any end tag.
  mutating func closed(_ name: TagName, _ code: ElementCode) {
    if name == .paragraph || name == .lineBreak, allowsCDATA {
      leftForeign()
      return
    }
    var index = open.count - 1
    var isBlocked = false
    while index >= 0, open[index].kind != .template {
      if open[index].code == code, !isBlocked || open[index].kind == .html {
        open.removeSubrange(index...)
        return
      }
      switch open[index].kind {
      case .html where !name.isSpecial && open[index].isSpecial: return
      case .html: isBlocked = true
      case .integrationPoint, .mathText: if isBlocked { return }
      case .svg, .math, .template: break
      }
      index -= 1
    }
    if name == .template { return closedTemplate() }
    if index < 0 { closedOutside(code) }
  }

  /// The end tag of an element that was open before an svg or math ends both.
  private mutating func closedOutside(_ code: ElementCode) {
    let isBehindBoundary = open.contains { $0.kind == .integrationPoint || $0.kind == .mathText }
    guard !isBehindBoundary, openOutside[code.bucket] > 0 else { return }
    openOutside[code.bucket] -= 1
    open.removeAll()
  }

  private mutating func closedTemplate() {
    guard let index = open.lastIndex(where: { $0.kind == .template }) else { return }
    open.removeSubrange(index...)
    templates -= 1
  }
}

/// Looks up elements by the codes of their names.
struct ElementTable<Value: Sendable>: Sendable {
  private static var slots: Int { 4 * ElementCode.buckets }

  private var codes = [ElementCode?](repeating: nil, count: slots)
  private var values = [Value?](repeating: nil, count: slots)

  /// Words in lower case, far fewer than there are slots.
  init(_ words: [(String, Value)]) {
    for (word, value) in words {
      let code = ElementCode(word)
      var slot = Self.firstSlot(of: code)
      while codes[slot] != nil { slot = (slot &+ 1) % Self.slots }
      (codes[slot], values[slot]) = (code, value)
    }
  }

  subscript(code: ElementCode) -> Value? {
    var slot = Self.firstSlot(of: code)
    while let other = codes[slot] {
      if other == code { return values[slot] }
      slot = (slot &+ 1) % Self.slots
    }
    return nil
  }

  private static func firstSlot(of code: ElementCode) -> Int { code.bucket &* 4 }
}

/// An element's name as a number, in any case; good for telling whether two tags belong together.
struct ElementCode: Hashable, Sendable {
  private var hash: UInt64 = 0xCBF2_9CE4_8422_2325

  init() {}

  init(_ name: TagName) { self.init(name.rawValue) }

  /// `name` is in lower case.
  init(_ name: String) {
    for byte in name.utf8 { add(byte) }
  }

  /// One more byte, in lower case.
  @inline(__always)
  mutating func add(_ byte: UInt8) {
    hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
  }

  static let buckets = 512

  /// One of `buckets`, for counting.
  var bucket: Int { Int(truncatingIfNeeded: ((hash ^ hash >> 29) &* 0xBF58_476D_1CE4_E5B9) >> 55) }
}

/// The elements that matter on the way to a title.
enum TagName: String, CaseIterable, Sendable {
  case html
  case head
  case body
  case title
  case base
  case link
  case meta
  case script
  case style
  case textarea
  case xmp
  case iframe
  case noembed
  case noframes
  case noscript
  case plaintext
  case template
  case heading = "h1"
  case lineBreak = "br"
  case font
  case svg
  case math
  case foreignObject = "foreignobject"
  case description = "desc"
  case mathIdentifier = "mi"
  case mathOperator = "mo"
  case mathNumber = "mn"
  case mathString = "ms"
  case mathText = "mtext"
  case annotation = "annotation-xml"
  case paragraph = "p"
  /// Any other element that cannot stand inside svg or math and so ends them.
  case flow = "div"
  /// As `flow`, but for a part of a line.
  case phrase = "span"
  /// What MathML has inside its text that is not HTML.
  case glyph = "mglyph"
  /// An element without content that cannot stand inside svg or math.
  case image = "img"
  /// Any other element that has no content.
  case void = "input"
  case other = "*"

  private static let table = ElementTable<TagName>(
    allCases.map { ($0.rawValue, $0) } + flowElements.map { ($0, .flow) }
      + phraseElements.map { ($0, .phrase) } + voidElements.map { ($0, .void) }
      + [("malignmark", .glyph), ("embed", .image), ("hr", .image)])

  @inline(__always)
  init(_ code: ElementCode) {
    self = Self.table[code] ?? .other
  }

  private static let flowElements = [
    "blockquote", "center", "dd", "dl", "dt", "h2", "h3", "h4", "h5", "h6", "li", "listing", "menu", "ol",
    "pre",
    "table", "ul",
  ]

  private static let phraseElements = [
    "b", "big", "code", "em", "i", "nobr", "ruby", "s", "small", "strong", "strike", "sub", "sup", "tt", "u",
    "var",
  ]

  private static let voidElements = ["area", "col", "keygen", "param", "source", "track", "wbr"]

  private struct Traits: OptionSet {
    let rawValue: UInt8

    static let endsForeignContent = Traits(rawValue: 1)
    static let hasUsefulAttributes = Traits(rawValue: 2)
    static let hasContent = Traits(rawValue: 4)
  }

  private var traits: Traits {
    switch self {
    case .html, .title, .base, .link, .script, .void: .hasUsefulAttributes
    case .meta: [.endsForeignContent, .hasUsefulAttributes]
    case .head, .body, .lineBreak, .image: .endsForeignContent
    case .paragraph, .flow, .phrase, .heading: [.endsForeignContent, .hasContent]
    case .font, .annotation: [.hasUsefulAttributes, .hasContent]
    case .foreignObject, .description, .mathIdentifier, .mathOperator, .mathNumber, .mathString, .mathText,
      .glyph, .noscript, .other:
      .hasContent
    case .style, .textarea, .xmp, .iframe, .noembed, .noframes, .plaintext, .template, .svg, .math: []
    }
  }

  /// Whether a start tag inside svg or math ends them; `font` does so only with certain attributes.
  var endsForeignContent: Bool { traits.contains(.endsForeignContent) }

  /// Whether the attributes of such a start tag are worth keeping.
  var hasUsefulAttributes: Bool { traits.contains(.hasUsefulAttributes) }

  /// Whether an element of that name in HTML stays open until its end tag, as far as the scan cares.
  var hasContent: Bool { traits.contains(.hasContent) }

  /// Whether what stands in it is no markup, up to its end tag.
  var holdsRawText: Bool {
    switch self {
    case .title, .script, .textarea, .style, .xmp, .iframe, .noembed, .noframes: true
    default: false
    }
  }

  /// Whether end tags of ordinary elements do not reach over it.
  var isSpecial: Bool { self == .paragraph || self == .flow || self == .heading }
}
