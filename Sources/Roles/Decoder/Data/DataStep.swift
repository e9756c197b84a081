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
        try CallStep.read(json.root, of: document, as: call, into: &row)
        return nil
      }
      for text in reading.require {
        try RequirementCheck.check(text, of: document.url, in: json.root)
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
      throw JSONFailure.of(error, in: document, as: form)
    }
    // In a stream, or in the digits of a number, a cut would not show.
    if document.truncated, form != .text || json.root.kind == .number {
      throw JSONFailure.cut(document)
    }
    return json
  }
}
