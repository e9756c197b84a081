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
  /// Any other element that cannot stand inside svg or math and so ends them.
  case flow = "p"
  case other = "*"

  static let table = WordTable<TagName>(
    allCases.map { ($0.rawValue, $0) } + flowElements.map { ($0, .flow) })

  private static let flowElements = [
    "b", "big", "blockquote", "center", "code", "dd", "div", "dl", "dt", "em", "embed", "h2", "h3",
    "h4", "h5", "h6", "hr", "i", "img", "li", "listing", "menu", "nobr", "ol", "pre", "ruby", "s",
    "small", "span", "strong", "strike", "sub", "sup", "table", "tt", "u", "ul", "var",
  ]

  /// Whether a start tag inside svg or math ends them; `font` does so only with certain attributes.
  var endsForeignContent: Bool {
    switch self {
    case .head, .body, .meta, .heading, .lineBreak, .flow: true
    case .html, .title, .base, .link, .script, .style, .textarea, .xmp, .iframe, .noembed, .noframes,
      .plaintext, .template, .font, .svg, .math, .foreignObject, .description, .mathIdentifier,
      .mathOperator, .mathNumber, .mathString, .mathText, .annotation, .other:
      false
    }
  }

  /// Whether the attributes of such a start tag are worth keeping.
  var hasUsefulAttributes: Bool {
    switch self {
    case .html, .base, .link, .meta, .font, .annotation: true
    case .head, .body, .title, .script, .style, .textarea, .xmp, .iframe, .noembed, .noframes,
      .plaintext, .template, .heading, .lineBreak, .svg, .math, .foreignObject, .description,
      .mathIdentifier, .mathOperator, .mathNumber, .mathString, .mathText, .flow, .other:
      false
    }
  }
}
