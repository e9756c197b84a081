import JSONQuery
package import Pipeline

/// A row as a test looks at it.
package struct Row: Sendable, CustomStringConvertible {
  package let number: UInt64
  package let text: String
  private let root: JSONValue

  package init(_ row: NumberedRow) throws {
    number = row.number
    text = String(decoding: row.json, as: UTF8.self)
    root = try JSONDocument(parsing: row.json, limits: .around).root
  }

  /// The text of a member, `error.kind` for a nested one; nil when it is not there.
  package subscript(_ path: String) -> String? {
    var value: JSONValue? = root
    for name in path.split(separator: ".") { value = value?[String(name)] }
    guard let value else { return nil }
    if let string = value.string { return string }
    var text: [UInt8] = []
    value.writeMinified(into: &text)
    return String(decoding: text, as: UTF8.self)
  }

  package var description: String { text }
}
