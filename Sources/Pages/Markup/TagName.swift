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

  /// Whether end tags of ordinary elements do not reach over it.
  var isSpecial: Bool { self == .paragraph || self == .flow || self == .heading }
}
