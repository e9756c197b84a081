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
    switch try find(selector(text), in: root) {
    case .one(let value): write(value, into: &row)
    case .many(let values):
      let array = try array(of: values)
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

  private func find(_ selector: JSONSelector, in root: JSONValue) throws(Failure) -> JSONSelector.Found {
    do {
      return try selector.find(in: root)
    } catch {
      switch error {
      case .nothing:
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
