/// A value without parts, of a document or of a query.
enum JSONScalar: Sendable {
  /// The bytes of its UTF-8, decoded.
  case string(ArraySlice<UInt8>)
  case number(ExactNumber)
  case bool(Bool)
  case null

  static func areEqual(_ left: JSONScalar, _ right: JSONScalar) -> Bool {
    switch (left, right) {
    case (.string(let left), .string(let right)): left == right
    case (.number(let left), .number(let right)): left.compared(to: right) == 0
    case (.bool(let left), .bool(let right)): left == right
    case (.null, .null): true
    case (.string, _), (.number, _), (.bool, _), (.null, _): false
    }
  }

  /// Only numbers and strings have an order; the bytes of UTF-8 have that of the characters.
  static func isLess(_ left: JSONScalar, than right: JSONScalar) -> Bool {
    switch (left, right) {
    case (.string(let left), .string(let right)): left.lexicographicallyPrecedes(right)
    case (.number(let left), .number(let right)): left.compared(to: right) < 0
    case (.string, _), (.number, _), (.bool, _), (.null, _): false
    }
  }
}

extension Tape {
  /// A node's value, unless it is an array or an object; reading it costs its length.
  func scalar(at index: Int, _ budget: inout StepBudget) throws(JSONPathFailure) -> JSONScalar? {
    let node = nodes[index]
    switch node.kind {
    case .object, .array: return nil
    case .null: return .null
    case .bool: return .bool(source[Int(node.start)] == UInt8(ascii: "t"))
    case .string:
      try budget.take(bytes: node.range.count)
      return .string(decodedBytes(node))
    case .number:
      try budget.take(bytes: node.range.count)
      return .number(ExactNumber(checked: source[node.range]))
    }
  }
}
