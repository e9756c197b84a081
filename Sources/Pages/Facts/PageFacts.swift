import HTTPMessages
import Posix

/// What a page says about itself.
public struct PageFacts: Hashable, Sendable {
  /// The document's title, or the next best thing; `titleSource` tells which.
  public var title: String?
  public var titleSource: TitleSource?
  public var card = Card()
  /// Whether it is a page at all, be it HTML or XHTML.
  public var isPage = false
  /// The WHATWG name, in lower case, of the charset the page was read in.
  public var charset = Charset.utf8.rawValue
  /// The absolute address that relative ones start from, where a `base` element changed it.
  public var baseHref: String?
  /// The content of the first meta refresh, such as `0; url=/next`; not interpreted.
  public var refresh: String?
  /// Where the page's oEmbed endpoint answers in JSON.
  public var embedEndpoint: String?
  public var warnings: [PageWarning] = []
  /// The time for reading it was over before its end.
  public var isCutShort = false
}

/// Where a page's title was found.
public enum TitleSource: String, CaseIterable, Sendable {
  case title
  case og
  case twitter
  case jsonLD = "json_ld"
  case h1
  /// The page has none, and its oEmbed endpoint knows one.
  case oembed
  /// What a document that is no page has among its properties, such as a PDF.
  case document
}

/// How much of a page's values is kept, in bytes of UTF-8; longer texts are cut, longer addresses dropped.
struct PageLimits: Hashable, Sendable {
  var titleBytes = 2_000
  var descriptionBytes = 10_000
  /// For every other text of the card.
  var shortTextBytes = 500
  var addressBytes = 8_192
  /// How many feeds of one page are listed.
  var feeds = 20
  /// How many images of one page are listed.
  var images = 5
  /// How much JSON-LD of one page is read, all its scripts together.
  var linkedDataBytes = 262_144
}

/// Searches for bytes that tell whether the rest of a page has to be read; much faster than reading it.
extension Span<UInt8> {
  /// Whether elements that describe a page may stand behind `start`: meta, link, or a script with JSON-LD.
  func mayDescribePage(from start: Int) -> Bool {
    var index = firstIndex(of: UInt8(ascii: "<"), from: start)
    while index < count {
      switch byte(at: index &+ 1)?.lowercased {
      case UInt8(ascii: "m"): if has("<meta", at: index) { return true }
      case UInt8(ascii: "l"): if has("<link", at: index) { return true }
      default: break
      }
      index = firstIndex(of: UInt8(ascii: "<"), from: index &+ 1)
    }
    return self.index(of: "+json", from: start) < count
  }

  /// Where a word given in lower case stands next, in any case, or the end. It begins with no letter.
  func index(of word: String, from start: Int) -> Int {
    guard let first = word.utf8.first else { return start }
    var index = firstIndex(of: first, from: start)
    while index < count, !has(word, at: index) { index = firstIndex(of: first, from: index &+ 1) }
    return index
  }
}

/// What is odd about a page without being a failure.
public enum PageWarning: Hashable, Sendable {
  /// The system has no table of the page's charset: characters beyond ASCII became U+FFFD.
  case charsetUnavailable(Charset)
  /// Nothing says which charset it is, and it is not UTF-8.
  case charsetGuessed(Charset)

  /// One line for people, with what to do.
  public var message: String {
    switch self {
    case .charsetGuessed(let charset):
      """
      charset_guessed: neither the server nor the page says which charset it is in, and it is not UTF-8; it was read as \
      \(charset.rawValue)
      """
    case .charsetUnavailable(let charset):
      """
      charset_unavailable: the C library has no table for \(charset.rawValue), so the page's characters beyond ASCII are \
      lost; install its converters (libc6 on Debian, glibc-gconv-extra on Fedora)
      """
    }
  }
}

/// What kind of document a body is.
public enum ContentKind: Hashable, Sendable {
  case html
  case xhtml
  /// XML that is not XHTML: feeds, SVG and the like.
  case xml
  case json
  case text
  /// Anything else, with its media type in lower case.
  case other(String)

  /// The kind a `Content-Type` names; without a usable one, what the first bytes look like.
  public static func of(contentType: String?, body: [UInt8]) -> ContentKind {
    named(contentType) ?? sniffed(from: body.span)
  }

  /// The media type in lower case.
  public var mediaType: String {
    switch self {
    case .html: "text/html"
    case .xhtml: "application/xhtml+xml"
    case .xml: "text/xml"
    case .json: "application/json"
    case .text: "text/plain"
    case .other(let name): name
    }
  }

  static func named(_ contentType: String?) -> ContentKind? {
    guard let name = contentType?.mediaType else { return nil }
    switch name {
    case "text/html": return .html
    case "application/xhtml+xml": return .xhtml
    case "application/json", "text/json", "application/x-ndjson", "application/ndjson",
      "application/json-seq", "application/jsonl":
      return .json
    case "text/plain": return .text
    case "text/xml", "application/xml": return .xml
    case "unknown/unknown", "application/unknown", "*/*": return nil
    default: break
    }
    guard name.utf8.contains(.slash) else { return nil }
    if name.hasSuffix("+xml") { return .xml }
    return name.hasSuffix("+json") ? .json : .other(name)
  }
}

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
