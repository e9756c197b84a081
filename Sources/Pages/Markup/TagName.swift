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

  /// Whether a start tag inside svg or math ends them; `font` does so only with certain attributes.
  var endsForeignContent: Bool {
    switch self {
    case .head, .body, .meta, .heading, .lineBreak, .paragraph, .flow, .phrase, .image: true
    case .html, .title, .base, .link, .script, .style, .textarea, .xmp, .iframe, .noembed, .noframes,
      .noscript,
      .plaintext, .template, .font, .svg, .math, .foreignObject, .description, .mathIdentifier,
      .mathOperator, .mathNumber, .mathString, .mathText, .annotation, .glyph, .void, .other:
      false
    }
  }

  /// Whether the attributes of such a start tag are worth keeping.
  var hasUsefulAttributes: Bool {
    switch self {
    case .html, .title, .base, .link, .meta, .script, .font, .annotation, .void: true
    case .head, .body, .style, .textarea, .xmp, .iframe, .noembed, .noframes, .noscript,
      .plaintext, .template, .heading, .lineBreak, .svg, .math, .foreignObject, .description,
      .mathIdentifier, .mathOperator, .mathNumber, .mathString, .mathText, .paragraph, .flow, .phrase, .image,
      .glyph, .other:
      false
    }
  }

  /// Whether an element of that name in HTML stays open until its end tag, as far as the scan cares.
  var hasContent: Bool {
    switch self {
    case .paragraph, .flow, .phrase, .heading, .font, .foreignObject, .description, .mathIdentifier,
      .mathOperator,
      .mathNumber, .mathString, .mathText, .annotation, .glyph, .noscript, .other:
      true
    case .html, .head, .body, .title, .base, .link, .meta, .script, .style, .textarea, .xmp, .iframe,
      .noembed,
      .noframes, .plaintext, .template, .lineBreak, .image, .svg, .math, .void:
      false
    }
  }

  /// Whether end tags of ordinary elements do not reach over it.
  var isSpecial: Bool { self == .paragraph || self == .flow || self == .heading }
}
