import JSONQuery
import Pipeline

/// What a `decode` job selects from its document.
///
/// What can name one value only, a pointer or a query of names and indexes, yields that value, and fails without it. Any
/// other query yields an array of what it finds, in its order, perhaps an empty one.
struct Selection {
  private let text: String?
  private let url: String

  init(_ text: String?, of url: String) {
    self.text = text
    self.url = url
  }

  /// Writes the member `value`; nothing of it when it fails.
  func write(from root: JSONValue, into row: inout JSONWriter) throws(Failure) {
    guard let text else { return write(root, into: &row) }
    switch try selector(text) {
    case .pointer(let pointer): write(try only(pointer.select(in: root)), into: &row)
    case .path(let path) where path.isSingular: write(try only(find(path, in: root).first), into: &row)
    case .path(let path):
      let array = try array(of: find(path, in: root))
      row.key("value")
      row.raw(array)
    }
  }

  private func write(_ value: JSONValue, into row: inout JSONWriter) {
    row.key("value")
    row.value(value)
  }

  private func selector(_ text: String) throws(Failure) -> JSONSelector {
    do {
      return try JSONSelector(text)
    } catch {
      throw Failure(.invalidInput, at: .select, "select \(error.message)")
    }
  }

  private func only(_ value: JSONValue?) throws(Failure) -> JSONValue {
    guard let value else {
      throw failure(
        .decodeMismatch, "there is no such value; look at the whole answer without --select")
    }
    return value
  }

  private func find(_ path: JSONPath, in root: JSONValue) throws(Failure) -> [JSONValue] {
    do {
      return try path.select(in: root)
    } catch {
      throw failure(.bodyTooLarge, error.message)
    }
  }

  /// Stops as soon as no message can hold it: values inside each other may be a thousand times their document.
  private func array(of values: [JSONValue]) throws(Failure) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginArray()
    for value in values {
      writer.value(value)
      guard writer.bytes.count <= EnvelopeCodec.longestRow else {
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
