/// A filter's test, for the plain evaluator.
indirect enum PlainTest {
  case or(PlainTest, PlainTest)
  case and(PlainTest, PlainTest)
  case not(PlainTest)
  case exists(PlainOperand)
  case compare(PlainOperand, String, PlainOperand)

  static func random(using random: inout SplitMix, depth: Int) -> PlainTest {
    switch random.below(depth > 3 ? 6 : 9) {
    case 0, 1: return .exists(.query(.random(using: &random, depth: depth), isRelative: random.below(4) != 0))
    case 2, 3, 4, 5:
      let comparison = random.one(of: ["==", "!=", "<", "<=", ">", ">="])
      return .compare(
        .random(using: &random, depth: depth), comparison, .random(using: &random, depth: depth))
    case 6: return .not(.random(using: &random, depth: depth + 1))
    case 7: return .and(.random(using: &random, depth: depth + 1), .random(using: &random, depth: depth + 1))
    default: return .or(.random(using: &random, depth: depth + 1), .random(using: &random, depth: depth + 1))
    }
  }

  func holds(for node: PlainNode, root: PlainJSON) -> Bool {
    switch self {
    case .or(let left, let right):
      return left.holds(for: node, root: root) || right.holds(for: node, root: root)
    case .and(let left, let right):
      return left.holds(for: node, root: root) && right.holds(for: node, root: root)
    case .not(let test): return !test.holds(for: node, root: root)
    case .exists(let operand): return !operand.nodes(for: node, root: root).isEmpty
    case .compare(let left, let comparison, let right):
      let (left, right) = (left.value(for: node, root: root), right.value(for: node, root: root))
      switch comparison {
      case "==": return left == right
      case "!=": return left != right
      case "<": return isLess(left, right)
      case "<=": return isLess(left, right) || left == right
      case ">": return isLess(right, left)
      default: return isLess(right, left) || left == right
      }
    }
  }

  private func isLess(_ left: PlainJSON?, _ right: PlainJSON?) -> Bool {
    switch (left, right) {
    case (.number(let left), .number(let right)): left < right
    case (.string(let left), .string(let right)):
      left.unicodeScalars.lexicographicallyPrecedes(right.unicodeScalars)
    default: false
    }
  }

  func text(using random: inout SplitMix) -> String {
    switch self {
    case .or(let left, let right): return "(\(left.text(using: &random)) || \(right.text(using: &random)))"
    case .and(let left, let right): return "(\(left.text(using: &random))&&\(right.text(using: &random)))"
    case .not(let test): return "!(\(test.text(using: &random)))"
    case .exists(let operand): return operand.text(using: &random)
    case .compare(let left, let comparison, let right):
      let blank = random.one(of: ["", " ", "\n"])
      return "\(left.text(using: &random))\(blank)\(comparison)\(blank)\(right.text(using: &random))"
    }
  }
}

indirect enum PlainOperand {
  case literal(PlainJSON)
  case query(PlainQuery, isRelative: Bool)
  case length(PlainOperand)
  case count(PlainQuery)
  case value(PlainQuery)

  static func random(using random: inout SplitMix, depth: Int) -> PlainOperand {
    switch random.below(depth > 3 ? 6 : 10) {
    case 0, 1: return .literal(.random(using: &random, depth: 5).atLeastScalar)
    case 2, 3, 4, 5:
      return .query(.random(using: &random, depth: depth, isSingular: true), isRelative: random.below(3) != 0)
    case 6, 7: return .length(.random(using: &random, depth: depth + 1))
    case 8: return .count(.random(using: &random, depth: depth + 1))
    default: return .value(.random(using: &random, depth: depth + 1))
    }
  }

  func nodes(for node: PlainNode, root: PlainJSON) -> [PlainNode] {
    switch self {
    case .query(let query, let isRelative):
      query.select(from: [isRelative ? node : PlainNode(root)], root: root)
    case .count(let query), .value(let query): query.select(from: [node], root: root)
    case .literal, .length: []
    }
  }

  func value(for node: PlainNode, root: PlainJSON) -> PlainJSON? {
    switch self {
    case .literal(let value): return value
    case .query, .value:
      let found = nodes(for: node, root: root)
      return found.count == 1 ? found[0].value : nil
    case .count: return .number(nodes(for: node, root: root).count * 10)
    case .length(let operand):
      switch operand.value(for: node, root: root) {
      case .string(let text): return .number(text.unicodeScalars.count * 10)
      case .array(let elements): return .number(elements.count * 10)
      case .object(let members): return .number(members.count * 10)
      case .null, .bool, .number, nil: return nil
      }
    }
  }

  func text(using random: inout SplitMix) -> String {
    switch self {
    case .literal(let value): value.text
    case .query(let query, let isRelative): query.text(isRelative: isRelative, using: &random)
    case .length(let operand): "length(\(operand.text(using: &random)) )"
    case .count(let query): "count( \(query.text(isRelative: true, using: &random)))"
    case .value(let query): "value(\(query.text(isRelative: true, using: &random)))"
    }
  }
}

extension PlainJSON {
  /// Only what has no parts can be written in a query.
  fileprivate var atLeastScalar: PlainJSON {
    switch self {
    case .array, .object: .null
    case .null, .bool, .number, .string: self
    }
  }
}
