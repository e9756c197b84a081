import Posix

extension Charset {
  static let prescannedBytes = 1024

  /// What the start of a page declares in a meta element or an XML declaration.
  static func prescan(_ body: Span<UInt8>) -> Charset? {
    let start = body.extracting(first: prescannedBytes)
    var tokenizer = Tokenizer()
    while true {
      switch tokenizer.next(in: start, markup: .html, allowsCDATA: false) {
      case .startTag(.meta):
        if let charset = declared(by: tokenizer, in: start) { return charset }
      case .startTag, .endTag, .text, .characterData:
        continue
      case .end:
        return xmlDeclaration(in: start)
      }
    }
  }

  /// What the meta element declares that a tokenizer has just read.
  static func declared(by tokenizer: Tokenizer, in bytes: Span<UInt8>) -> Charset? {
    if let label = tokenizer.value(of: .charset) {
      return labelled(bytes, label)?.insideMarkup
    }
    guard let pragma = tokenizer.value(of: .httpEquiv), let content = tokenizer.value(of: .content),
      pragma.count == 12, bytes.has("content-type", at: pragma.lowerBound)
    else { return nil }
    return declared(in: bytes, content)?.insideMarkup
  }

  /// The charset parameter of a content type such as `text/html; charset="utf-8"`.
  static func declared(in bytes: Span<UInt8>, _ range: Range<Int>) -> Charset? {
    let word = "charset"
    var index = range.lowerBound
    while index &+ word.utf8.count < range.upperBound {
      guard bytes.has(word, at: index) else {
        index &+= 1
        continue
      }
      index = bytes.skippingSpace(from: index &+ word.utf8.count, to: range.upperBound)
      guard index < range.upperBound, bytes[index] == .equals else { continue }
      let start = bytes.skippingSpace(from: index &+ 1, to: range.upperBound)
      return parameterValue(in: bytes, start..<range.upperBound).flatMap { labelled(bytes, $0) }
    }
    return nil
  }

  /// A quoted or bare value; nil when its quote is never closed.
  private static func parameterValue(in bytes: Span<UInt8>, _ range: Range<Int>) -> Range<Int>? {
    guard let first = bytes.byte(at: range.lowerBound), !range.isEmpty else { return nil }
    if first == .doubleQuote || first == .singleQuote {
      let start = range.lowerBound &+ 1
      let end = bytes.extracting(..<range.upperBound).firstIndex(of: first, from: start)
      return end < range.upperBound ? start..<end : nil
    }
    var end = range.lowerBound
    while end < range.upperBound, !bytes[end].isHTMLSpace, bytes[end] != .semicolon { end &+= 1 }
    return range.lowerBound..<end
  }

  /// What an XML declaration at the very start says.
  static func xmlDeclaration(in bytes: Span<UInt8>) -> Charset? {
    guard bytes.has("<?xml", at: 0) else { return nil }
    let end = bytes.firstIndex(of: .greater, from: 5)
    let word = "encoding"
    var index = 5
    while index &+ word.utf8.count < end {
      if bytes.has(word, at: index) {
        let equals = bytes.skippingSpace(from: index &+ word.utf8.count, to: end)
        guard equals < end, bytes[equals] == .equals else { return nil }
        let start = bytes.skippingSpace(from: equals &+ 1, to: end)
        return parameterValue(in: bytes, start..<end).flatMap { labelled(bytes, $0) }?.insideMarkup
      }
      index &+= 1
    }
    return nil
  }
}
