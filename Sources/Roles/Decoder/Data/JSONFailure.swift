import HTTPMessages
import JSONQuery
import Pipeline

/// Why a body is not the JSON that was asked for, where, and what to do about it.
enum JSONFailure {
  static func of(_ error: JSONError, in document: Document, as form: JSONForm) -> Failure {
    switch error.reason {
    case .tooManyValues:
      let most = JSONLimits().values
      return failure(
        .bodyTooLarge, document,
        "it has more than \(most) values, the most that one document may have; they are full at byte \(error.offset)"
      )
    case .tooDeep:
      return failure(
        .dataParsingFailed, document,
        "\(error.message): more than \(JSONLimits().depth) arrays and objects inside each other")
    default:
      let line = form == .text ? lineAndColumn(error.offset, in: document.body) : ""
      return failure(.dataParsingFailed, document, "\(error.message)\(line)\(hint(document, error))")
    }
  }

  static func cut(_ document: Document) -> Failure {
    failure(
      .dataParsingFailed, document, "the body ended too early, after \(document.body.count) bytes")
  }

  private static func failure(_ kind: FailureKind, _ document: Document, _ cause: String) -> Failure {
    Failure(kind, at: .json, "decode \(document.url): \(cause)")
  }

  /// For documents of several lines; bytes are exact also in those that are not UTF-8.
  private static func lineAndColumn(_ offset: Int, in body: [UInt8]) -> String {
    let before = body.prefix(offset)
    guard !body.prefix(4).contains(0), let lineEnd = before.lastIndex(of: UInt8(ascii: "\n")) else {
      return ""
    }
    let line = before.count { $0 == UInt8(ascii: "\n") } + 1
    let column = before[(lineEnd + 1)...].count { $0 & 0xC0 != 0x80 } + 1
    return " (line \(line), column \(column))"
  }

  private static func hint(_ document: Document, _ error: JSONError) -> String {
    if document.truncated { return "; the body ended too early, after \(document.body.count) bytes" }
    // Most answers that are no JSON are pages.
    if document.contentType?.mediaType == "text/html" {
      return "; the server says it is a page (text/html), so try halyard title"
    }
    if error.offset == document.body.firstIndex(of: UInt8(ascii: "<")) {
      return "; it begins like a page, so try halyard title"
    }
    guard error.place == nil, !document.order.job.reading.unwraps else { return "" }
    let unwrapped = try? JSONDocument(parsing: document.body, unwrapping: true)
    return unwrapped == nil ? "" : "; it is JSON inside a script, so try --unwrap"
  }
}
