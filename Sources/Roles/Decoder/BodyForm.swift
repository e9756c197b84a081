import HTTPMessages
import JSONQuery
import Links
import Pages
import Pipeline

/// How a response holds its JSON: by its type, else by its first byte, else by the name it was fetched under.
enum BodyForm {
  private static let lineTypes: Set = [
    "application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonl",
    "application/jsonlines", "application/x-jsonlines", "application/json-lines", "application/x-json-lines",
    "application/x-json-stream", "application/stream+json", "text/x-ndjson", "text/ndjson", "text/jsonl",
    "text/x-jsonl", "text/jsonlines",
  ]
  /// They say nothing about what is inside.
  private static let vagueTypes: Set = [
    "", "text/plain", "application/octet-stream", "binary/octet-stream", "application/unknown", "*/*",
  ]

  static func of(_ document: Document) -> JSONForm {
    let type = document.contentType?.mediaType ?? ""
    if lineTypes.contains(type) { return .lines }
    if type == "application/json-seq" || type.hasSuffix("+json-seq") { return .sequence }
    if firstByte(of: document.body) == 0x1E { return .sequence }
    return vagueTypes.contains(type) && isNamedAsLines(document.url) ? .lines : .text
  }

  private static func firstByte(of body: [UInt8]) -> UInt8? {
    body.starts(with: [0xEF, 0xBB, 0xBF]) ? body.dropFirst(3).first : body.first
  }

  private static func isNamedAsLines(_ url: String) -> Bool {
    guard let path = try? WebURL(url).path.lowercased() else { return false }
    return path.hasSuffix(".jsonl") || path.hasSuffix(".ndjson")
  }
}
