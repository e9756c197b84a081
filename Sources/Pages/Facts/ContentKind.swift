import HTTPMessages

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
