import HTTPMessages
import Posix

extension ContentKind {
  /// As far as the first bytes tell; reads no more than 512 of them.
  static func sniffed(from body: Span<UInt8>) -> ContentKind {
    let start = body.extracting(first: 512)
    if let (charset, length) = Charset.byteOrderMark(of: start) {
      guard charset == .utf8 else { return .html }
      return ofText(start, from: length) ?? .text
    }
    if start.count >= 4, start[0] == .less, start[1] == 0, start[3] == 0 { return .html }
    if let type = FileSignature.type(of: start) { return .other(type) }
    if let kind = ofText(start, from: 0) { return kind }
    for index in start.indices where start[index].isBinary {
      return .other("application/octet-stream")
    }
    return .text
  }

  private static func ofText(_ bytes: Span<UInt8>, from first: Int) -> ContentKind? {
    let start = bytes.skippingSpace(from: first, to: bytes.count)
    guard let byte = bytes.byte(at: start) else { return nil }
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      return .json
    case .less where bytes.has("<?xml", at: start):
      return containsXHTML(bytes) ? .xhtml : .xml
    case .less where bytes.has("<!--", at: start) || bytes.has("<!doctype html", at: start):
      return .html
    case .less:
      let end = bytes.endOfTagName(from: start &+ 1)
      return markupElements[bytes, start &+ 1..<end]
    default:
      return nil
    }
  }

  private static func containsXHTML(_ bytes: Span<UInt8>) -> Bool {
    var index = bytes.firstIndex(of: .less, from: 0)
    while index < bytes.count {
      if bytes.has("<html", at: index) { return true }
      index = bytes.firstIndex(of: .less, from: index &+ 1)
    }
    return false
  }

  private static let markupElements = WordTable<ContentKind>(
    [
      "html", "head", "script", "iframe", "h1", "div", "font", "table", "a", "style", "title", "b", "body",
      "br", "p", "meta", "link", "base",
    ].map { ($0, .html) } + [("svg", .xml), ("rss", .xml), ("feed", .xml), ("rdf:rdf", .xml)])
}
