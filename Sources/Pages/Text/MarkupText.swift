/// The text of a piece of HTML, such as an Atom title of type `html`.
enum MarkupText {
  static func read(_ html: String, limit: Int) -> String? {
    let bytes = Array(html.utf8)
    var tokenizer = Tokenizer()
    var collector = TextCollector(limit: limit)
    while true {
      switch tokenizer.next(in: bytes.span, markup: .html, allowsCDATA: false) {
      case .text(let range): collector.append(bytes.span, range, as: .text)
      case .characterData(let range): collector.append(bytes.span, range, as: .literal)
      case .startTag(.script): _ = tokenizer.rawText(of: .script, in: bytes.span)
      case .startTag(.style): _ = tokenizer.rawText(of: .style, in: bytes.span)
      case .startTag(.lineBreak), .startTag(.paragraph), .startTag(.flow): collector.appendSpace()
      case .startTag, .endTag: break
      case .end: return collector.text
      }
    }
  }
}
