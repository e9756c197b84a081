/// A view of one value of a document; cheap to copy, and it keeps the document alive.
public struct JSONValue: Sendable {
  let tape: Tape
  let index: Int

  var node: TapeNode { tape.nodes[index] }

  /// Which of the six kinds the value is.
  public var kind: JSONKind { node.kind }

  public var string: String? { kind == .string ? tape.decodedString(node) : nil }

  /// A number exactly as it is written in the document.
  public var numberText: String? {
    kind == .number ? String(decoding: tape.source[node.range], as: UTF8.self) : nil
  }

  /// A number that is written without fraction and exponent and fits.
  public var int64: Int64? { numberText.flatMap { Int64($0) } }

  /// Whether a value is `true`; nil for what is neither `true` nor `false`.
  public var bool: Bool? {
    kind == .bool ? tape.source[Int(node.start)] == UInt8(ascii: "t") : nil
  }

  /// Whether the value is `null`.
  public var isNull: Bool { kind == .null }

  /// How many elements an array or members an object has, repeated names included; 0 for other kinds.
  public var count: Int { node.count }

  /// The byte at which the value starts in the document's UTF-8 form.
  public var offset: Int { Int(node.start) }

  /// Bytes that the value takes in the document's UTF-8 form, white space inside it included.
  public var length: Int { node.range.count }

  /// The member of an object with this name, compared byte by byte; of several the last.
  public subscript(key: String) -> JSONValue? {
    guard kind == .object else { return nil }
    let wanted = key.utf8.span
    var found: Int?
    var at = index + 1
    while at < node.next {
      if tape.string(tape.nodes[at], equals: wanted) { found = at + 1 }
      at = Int(tape.nodes[at + 1].next)
    }
    return found.map { JSONValue(tape: tape, index: $0) }
  }
}
