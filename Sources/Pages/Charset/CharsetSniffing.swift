extension Charset {
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
