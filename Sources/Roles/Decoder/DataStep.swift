import HTTPMessages
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
      try Selection(text: reading.select, url: document.url).write(from: json.root, into: &row)
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

/// What is odd about a document without being a failure, as the row's `warnings`.
enum DataWarnings {
  /// More of a kind are not told.
  private static let most = 8
  private static let longestName = 100

  static func write(of document: JSONDocument, into row: inout JSONWriter) {
    row.member("warnings", skipped(document) + repeated(document))
  }

  private static func skipped(_ document: JSONDocument) -> [String] {
    let told = document.skipped.prefix(most).map { "passed over \($0.message)" }
    let others = document.skipped.count - told.count
    return others > 0 ? told + ["passed over \(others) more texts"] : told
  }

  private static func repeated(_ document: JSONDocument) -> [String] {
    document.duplicateKeys(atMost: most).map { key in
      let name = String((key.string ?? "").prefix(longestName))
      return
        "the member '\(name)' at byte \(document.sentOffset(of: key)) is there before; the last one counts"
    }
  }
}

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

/// What a `decode` job demands of its document.
enum RequirementCheck {
  static func check(_ text: String, of url: String, in root: JSONValue) throws(Failure) {
    let requirement: JSONRequirement
    do {
      requirement = try JSONRequirement(text)
    } catch {
      throw Failure(.invalidInput, at: .json, "require \(error.message)")
    }
    do {
      try requirement.check(root)
    } catch {
      let kind: FailureKind =
        switch error {
        case .mismatch: .decodeMismatch
        case .tooMuch: .bodyTooLarge
        }
      throw Failure(kind, at: .json, "require '\(text)' of \(url): \(error.message)")
    }
  }
}

/// What a `decode` job selects from its document.
///
/// What can name one value only, a pointer or a query of names and indexes, yields that value, and fails without it. Any
/// other query yields an array of what it finds, in its order, perhaps an empty one.
struct Selection {
  let text: String?
  let url: String

  /// Writes the member `value`; nothing of it when it fails.
  func write(from root: JSONValue, into row: inout JSONWriter) throws(Failure) {
    switch try find(in: root) {
    case .one(let value):
      row.key("value")
      row.value(value)
    case .many(let values):
      let array = try array(of: values)
      row.key("value")
      row.raw(array)
    }
  }

  private func find(in root: JSONValue) throws(Failure) -> JSONSelector.Found {
    guard let text else { return .one(root) }
    let selector: JSONSelector
    do {
      selector = try JSONSelector(text)
    } catch {
      throw Failure(.invalidInput, at: .select, "select \(error.message)")
    }
    do {
      return try selector.find(in: root)
    } catch {
      switch error {
      case .mismatch:
        throw failure(
          .decodeMismatch, "there is no such value; look at the whole answer without --select")
      case .tooMuch(let why): throw failure(.bodyTooLarge, why)
      }
    }
  }

  /// Bytes of the document that are gone over to write what was found, white space and all.
  private static let mostRead = 256 << 20

  /// Stops as soon as no message can hold it: values inside each other may be a thousand times their document.
  private func array(of values: [JSONValue]) throws(Failure) -> [UInt8] {
    var writer = JSONWriter()
    var read = 0
    writer.beginArray()
    for value in values {
      read += value.length
      if read <= Self.mostRead { writer.value(value) }
      guard read <= Self.mostRead, writer.bytes.count <= EnvelopeCodec.longestRow else {
        throw failure(
          .bodyTooLarge,
          "what it finds takes more than the \(EnvelopeCodec.longestRow) bytes that a message holds; select less"
        )
      }
    }
    writer.endArray()
    return writer.bytes
  }

  private func failure(_ kind: FailureKind, _ cause: String) -> Failure {
    Failure(kind, at: .select, "select '\(text ?? "")' from \(url): \(cause)")
  }
}
