/// A document as a tree, for the plain evaluator.
indirect enum PlainJSON: Equatable {
  case null
  case bool(Bool)
  /// Tenths.
  case number(Int)
  case string(String)
  case array([PlainJSON])
  case object([(name: String, value: PlainJSON)])

  static let names = ["a", "b", "c", "é", "x y", "'", "\"", "\\", ""]

  static func random(using random: inout SplitMix, depth: Int = 0) -> PlainJSON {
    switch random.below(depth > 3 ? 5 : 10) {
    case 0: return .null
    case 1: return .bool(random.below(2) == 0)
    case 2, 3: return .number(random.below(40) - 10)
    case 4: return .string(random.one(of: names + ["ab", "ba", "aab"]))
    case 5, 6, 7: return .array((0..<random.below(5)).map { _ in .random(using: &random, depth: depth + 1) })
    default:
      var members: [(name: String, value: PlainJSON)] = []
      for name in names where random.below(3) == 0 {
        members.append((name, .random(using: &random, depth: depth + 1)))
      }
      return .object(members)
    }
  }

  static func == (left: PlainJSON, right: PlainJSON) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.string(let left), .string(let right)): left == right
    case (.array(let left), .array(let right)): left == right
    case (.object(let left), .object(let right)):
      left.count == right.count
        && left.allSatisfy { member in right.contains { $0.name == member.name && $0.value == member.value } }
    case (.null, _), (.bool, _), (.number, _), (.string, _), (.array, _), (.object, _): false
    }
  }

  var text: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .number(let tenths): Self.text(ofTenths: tenths)
    case .string(let text): Self.quoted(text)
    case .array(let elements): "[\(elements.map(\.text).joined(separator: ", "))]"
    case .object(let members):
      "{\(members.map { "\(Self.quoted($0.name)): \($0.value.text)" }.joined(separator: ", "))}"
    }
  }

  static func text(ofTenths tenths: Int) -> String {
    if tenths % 10 == 0, tenths % 3 == 0 { return "\(tenths / 10)" }
    return tenths % 2 == 0
      ? "\(tenths)e-1" : "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)0"
  }

  static func quoted(_ text: String) -> String {
    "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
  }

  var children: [(step: String, value: PlainJSON)] {
    switch self {
    case .array(let elements): elements.enumerated().map { ("\($0)", $1) }
    case .object(let members): members.map { ($0.name, $0.value) }
    case .null, .bool, .number, .string: []
    }
  }
}

/// A value and the way to it.
struct PlainNode {
  var value: PlainJSON
  var pointer = ""

  init(_ value: PlainJSON) { self.value = value }

  var children: [PlainNode] {
    value.children.map { child in
      var node = PlainNode(child.value)
      node.pointer = "\(pointer)/\(child.step.replacing("~", with: "~0").replacing("/", with: "~1"))"
      return node
    }
  }

  /// Itself and all below, each before those inside it.
  var descendants: [PlainNode] { [self] + children.flatMap(\.descendants) }
}
