/// What a value can be asked to be.
public enum JSONType: String, CaseIterable, Hashable, Sendable {
  case object
  case array
  case string
  case number
  /// A number without a fraction, however it is written: 7, 7.0 and 70e-1.
  case integer
  case boolean
  case null
  case any

  func fits(_ value: JSONValue) -> Bool {
    switch self {
    case .object: value.kind == .object
    case .array: value.kind == .array
    case .string: value.kind == .string
    case .number: value.kind == .number
    case .integer:
      value.kind == .number && ExactNumber(checked: value.tape.source[value.node.range]).isWhole
    case .boolean: value.kind == .bool
    case .null: value.kind == .null
    case .any: true
    }
  }
}
