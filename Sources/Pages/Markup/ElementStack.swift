/// The open elements that decide whether a title is the page's: templates, svg, math, and the places
/// inside the latter two where HTML goes on.
struct ElementStack {
  private enum Element: Equatable {
    case template
    case svg
    case math
    /// `foreignObject`, `desc` or `title` of svg, or an element of MathML that holds text.
    case htmlInside(TagName)
  }

  /// Deeper nesting is passed over, which keeps hostile pages linear.
  private static let deepest = 64

  private var open: [Element] = []
  private var templates = 0

  /// Whether the innermost element is one of svg or MathML.
  var isForeign: Bool {
    switch open.last {
    case .svg, .math: true
    case .template, .htmlInside, nil: false
    }
  }

  var isEmpty: Bool { open.isEmpty }

  var isInsideTemplate: Bool { templates > 0 }

  /// Whether an annotation of that encoding holds HTML.
  static func isMarkup(_ bytes: Span<UInt8>, _ encoding: Range<Int>) -> Bool {
    markupEncodings[bytes, encoding] != nil
  }

  private static let markupEncodings = WordTable<Bool>([
    ("text/html", true), ("application/xhtml+xml", true),
  ])

  mutating func openedTemplate() {
    guard open.count < Self.deepest else { return }
    open.append(.template)
    templates += 1
  }

  mutating func closedTemplate() {
    guard let index = open.lastIndex(of: .template) else { return }
    open.removeSubrange(index...)
    templates -= 1
  }

  /// A start tag of `svg` or `math`, wherever it stands.
  mutating func openedForeign(_ name: TagName, isSelfClosing: Bool) {
    guard !isSelfClosing, open.count < Self.deepest else { return }
    open.append(name == .math ? .math : .svg)
  }

  /// A start tag inside svg or math; `isHTMLAnnotation` tells of an annotation that holds HTML.
  mutating func openedInsideForeign(_ name: TagName, isSelfClosing: Bool, isHTMLAnnotation: Bool) {
    guard !isSelfClosing, open.count < Self.deepest, let parent = open.last else { return }
    switch (parent, name) {
    case (.svg, .svg), (.svg, .math), (.math, .math), (.math, .svg):
      openedForeign(name, isSelfClosing: false)
    case (.svg, .foreignObject), (.svg, .description), (.svg, .title),
      (.math, .mathIdentifier), (.math, .mathOperator), (.math, .mathNumber), (.math, .mathString),
      (.math, .mathText):
      open.append(.htmlInside(name))
    case (.math, .annotation) where isHTMLAnnotation:
      open.append(.htmlInside(name))
    default:
      break
    }
  }

  /// A start tag that cannot stand inside svg or math.
  mutating func leftForeign() {
    while isForeign { open.removeLast() }
  }

  /// The end tag of anything but a template.
  mutating func closed(_ name: TagName) {
    let element: Element
    switch name {
    case .svg: element = .svg
    case .math: element = .math
    case .title, .foreignObject, .description, .mathIdentifier, .mathOperator, .mathNumber, .mathString,
      .mathText, .annotation:
      element = .htmlInside(name)
    default: return
    }
    let floor = (open.lastIndex(of: .template) ?? -1) + 1
    if let index = open[floor...].lastIndex(of: element) { open.removeSubrange(index...) }
  }
}
