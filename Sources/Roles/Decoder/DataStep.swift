import JSONQuery
import Pipeline
import Recipes

/// The step `decode`: JSON, what it must hold, and what is selected from it.
enum DataStep {
  /// Writes what was found; returns why the job fails, if it does.
  static func read(_ document: Document, into row: inout JSONWriter) -> Failure? {
    if let failure = document.failure { return failure }
    let form = BodyForm.of(document)
    // A stream may have nothing to tell.
    guard !document.body.isEmpty || form != .text else {
      return Failure(.noData, at: .json, "decode \(document.url): the response has no body")
    }
    let reading = document.order.job.reading
    do {
      let json = try parse(document, as: form)
      DataWarnings.write(of: json, into: &row)
      if let call = reading.call {
        try CallStep(call).read(json.root, of: document, into: &row)
        return nil
      }
      for text in reading.require {
        try RequirementCheck(text, of: document.url).check(json.root)
      }
      try Selection(reading.select, of: document.url).write(from: json.root, into: &row)
      return nil
    } catch {
      return error
    }
  }

  private static func parse(_ document: Document, as form: JSONForm) throws(Failure) -> JSONDocument {
    let json: JSONDocument
    do {
      json = try JSONDocument(
        parsing: document.body, as: form, unwrapping: document.order.job.reading.unwraps)
    } catch {
      throw failure(document, "\(error.message)\(hint(document, error))")
    }
    // Of a stream, or of the digits of a number, nobody could tell.
    if document.truncated, form != .text || json.root.kind == .number {
      throw failure(document, "the body ended too early, after \(document.body.count) bytes")
    }
    return json
  }

  private static func failure(_ document: Document, _ cause: String) -> Failure {
    Failure(.dataParsingFailed, at: .json, "decode \(document.url): \(cause)")
  }

  private static func hint(_ document: Document, _ error: JSONError) -> String {
    // Most answers that are no JSON are pages.
    if let type = document.contentType, type.lowercased().hasPrefix("text/html") {
      return "; the server says it is a page (text/html), so try halyard title"
    }
    guard error.place == nil, !document.order.job.reading.unwraps else { return "" }
    let unwrapped = try? JSONDocument(parsing: document.body, unwrapping: true)
    return unwrapped == nil ? "" : "; it is JSON inside a script, so try --unwrap"
  }
}
