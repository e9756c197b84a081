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
      let value = try select(document.order.job.select, of: document)
      row.key("value")
      row.value(value)
      return nil
    } catch {
      return error
    }
  }

  private static func select(_ select: String?, of document: Document) throws(Failure) -> JSONValue {
    let root: JSONValue
    do {
      root = try JSONDocument(parsing: document.body).root
    } catch {
      throw Failure(
        .dataParsingFailed, at: .json, "decode \(document.url): \(error.message)\(hint(document))")
    }
    guard let select else { return root }
    let pointer: JSONPointer
    do {
      pointer = try JSONPointer(select)
    } catch {
      throw Failure(.invalidInput, at: .select, "select '\(select)': \(error.message)")
    }
    guard let value = pointer.select(in: root) else {
      throw Failure(
        .decodeMismatch, at: .select,
        "select '\(select)' from \(document.url): there is no such value; look at the whole answer without --select"
      )
    }
    return value
  }

  /// Most answers that are no JSON are pages.
  private static func hint(_ document: Document) -> String {
    guard let type = document.contentType, type.lowercased().hasPrefix("text/html") else { return "" }
    return "; the server says it is a page (text/html), so try halyard title"
  }
}
