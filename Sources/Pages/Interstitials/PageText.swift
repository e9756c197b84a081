/// How much a page shows, and what it asks for.
struct PageText {
  /// Of text outside scripts, styles and titles, white space left out.
  private(set) var bytes = 0
  private(set) var asksForPassword = false

  private static let input = ElementCode("input")

  init(_ page: Span<UInt8>) {
    var tokenizer = Tokenizer()
    while true {
      switch tokenizer.next(in: page, markup: .html, allowsCDATA: false) {
      case .text(let range), .characterData(let range):
        for index in range where !page[index].isHTMLSpace { bytes += 1 }
      case .startTag(.void) where tokenizer.tagName == Self.input:
        guard let type = tokenizer.value(of: .type).map({ page.trimmed($0) }) else { continue }
        if type.count == 8, page.has("password", at: type.lowerBound) { asksForPassword = true }
      case .startTag(let name):
        switch name {
        case .script, .style, .title, .textarea, .xmp, .iframe, .noembed, .noframes:
          _ = tokenizer.rawText(of: name, in: page)
        default: break
        }
      case .endTag: break
      case .end: return
      }
    }
  }
}
