import JSONQuery
import Pipeline

/// The step `decode`: JSON, and what is selected from it.
enum DataStep {
  /// Writes what was found; returns why the job fails, if it does.
  static func read(_ document: Document, into row: inout JSONWriter) -> Failure? {
    if let failure = document.failure { return failure }
    guard !document.body.isEmpty else {
      return Failure(.noData, at: .json, "decode \(document.url): the response has no body")
    }
    do {
      try Selection(document.order.job.select, of: document.url).write(from: parse(document), into: &row)
      return nil
    } catch {
      return error
    }
  }

  private static func parse(_ document: Document) throws(Failure) -> JSONValue {
    do {
      return try JSONDocument(parsing: document.body).root
    } catch {
      throw Failure(
        .dataParsingFailed, at: .json, "decode \(document.url): \(error.message)\(hint(document))")
    }
  }

  /// Most answers that are no JSON are pages.
  private static func hint(_ document: Document) -> String {
    guard let type = document.contentType, type.lowercased().hasPrefix("text/html") else { return "" }
    return "; the server says it is a page (text/html), so try halyard title"
  }
}
