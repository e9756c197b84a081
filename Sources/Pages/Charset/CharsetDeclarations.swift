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
      case .startTag, .endTag, .text:
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
    guard let content = tokenizer.value(of: .content),
      bytes.spells("content-type", in: tokenizer.value(of: .httpEquiv))
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

  /// A charset and whether something said so; a mere guess gives way to a later declaration.
  struct Finding {
    var charset: Charset
    var isCertain: Bool
  }

  /// The charset of a body: byte order mark, then `Content-Type`, then what the first 1,024 bytes of
  /// markup declare, of XML its declaration, then UTF-8 if the bytes are valid UTF-8, then windows-1252.
  ///
  /// JSON and plain text carry no declaration inside, so none is looked for.
  static func sniff(_ body: Span<UInt8>, contentType: String?, kind: ContentKind) -> Finding {
    if let (charset, _) = byteOrderMark(of: body) {
      return Finding(charset: charset, isCertain: true)
    }
    if let contentType {
      let bytes = Array(contentType.utf8)
      if let charset = declared(in: bytes.span, bytes.indices) {
        return Finding(charset: charset, isCertain: true)
      }
    }
    if let charset = spacedOut(body) { return Finding(charset: charset, isCertain: true) }
    switch kind {
    case .html:
      if let charset = prescan(body) { return Finding(charset: charset, isCertain: true) }
    case .xhtml, .xml:
      return ofXML(body)
    case .json:
      return Finding(charset: .utf8, isCertain: true)
    case .text, .other:
      break
    }
    return Finding(charset: isUTF8(body) ? .utf8 : .windows1252, isCertain: false)
  }

  /// In XML a meta element says nothing, and what declares nothing is UTF-8; what is none gives way to a meta all the same.
  private static func ofXML(_ body: Span<UInt8>) -> Finding {
    if let charset = xmlDeclaration(in: body.extracting(first: prescannedBytes)) {
      return Finding(charset: charset, isCertain: true)
    }
    if isUTF8(body) { return Finding(charset: .utf8, isCertain: true) }
    return Finding(charset: .windows1252, isCertain: false)
  }

  /// The charset of a byte order mark and how many bytes it takes.
  static func byteOrderMark(of body: Span<UInt8>) -> (charset: Charset, length: Int)? {
    guard body.count >= 2 else { return nil }
    switch (body[0], body[1]) {
    case (0xFE, 0xFF): return (.utf16BE, 2)
    case (0xFF, 0xFE): return (.utf16LE, 2)
    case (0xEF, 0xBB) where body.byte(at: 2) == 0xBF: return (.utf8, 3)
    default: return nil
    }
  }

  /// UTF-16 without a mark: ASCII characters, each with a zero byte beside it.
  private static func spacedOut(_ body: Span<UInt8>) -> Charset? {
    guard body.count >= 4 else { return nil }
    switch (body[0], body[1], body[2], body[3]) {
    case (1..., 0, 1..., 0): return .utf16LE
    case (0, 1..., 0, 1...): return .utf16BE
    default: return nil
    }
  }

  /// A body that was cut in the middle of a character still counts, if it has others to show.
  private static func isUTF8(_ body: Span<UInt8>) -> Bool {
    do {
      _ = try UTF8Span(validating: body)
      return true
    } catch {
      guard error.kind == .truncatedScalar, error.byteOffsets.upperBound == body.count else { return false }
      for index in 0..<error.byteOffsets.lowerBound where body[index] >= 0x80 { return true }
      return false
    }
  }
}
