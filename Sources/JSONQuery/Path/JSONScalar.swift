/// A value without parts, of a document or of a query.
enum JSONScalar: Sendable {
  /// The bytes of its UTF-8, decoded.
  case string(ArraySlice<UInt8>)
  case number(ExactNumber)
  case bool(Bool)
  case null

  /// Bytes that may have to be looked at.
  var size: Int {
    switch self {
    case .string(let text): text.count
    case .number(let number): number.size
    case .bool, .null: 1
    }
  }

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

  /// Whether two nodes have the same value: arrays in order, objects in any; of equal names the last counts.
  func haveSameValue(_ left: Int, _ right: Int, _ budget: inout StepBudget) throws(JSONPathFailure) -> Bool {
    var open = [Run(left: left, right: right, end: Int(nodes[left].next))]
    while let run = open.last {
      guard run.left < run.end else {
        open.removeLast()
        continue
      }
      open[open.count - 1].left = Int(nodes[run.left].next)
      open[open.count - 1].right = Int(nodes[run.right].next)
      guard try areAlike(run.left, run.right, &open, &budget) else { return false }
    }
    return true
  }

  /// Values side by side, up to the left one's end.
  private struct Run {
    var left: Int
    var right: Int
    var end: Int
  }

  /// Compares what two nodes are and leaves what is inside them for later.
  private func areAlike(
    _ left: Int, _ right: Int, _ open: inout [Run], _ budget: inout StepBudget
  ) throws(JSONPathFailure) -> Bool {
    try budget.take(1)
    let (node, other) = (nodes[left], nodes[right])
    guard left != right else { return true }
    guard node.kind == other.kind else { return false }
    switch node.kind {
    case .array:
      guard node.count == other.count else { return false }
      open.append(Run(left: left + 1, right: right + 1, end: Int(node.next)))
      return true
    case .object:
      let (members, others) = (try memberTable(left, &budget), try memberTable(right, &budget))
      guard members.count == others.count else { return false }
      for (name, value) in members {
        guard let other = others[name] else { return false }
        open.append(Run(left: value, right: other, end: Int(nodes[value].next)))
      }
      return true
    case .string, .number, .bool, .null:
      guard let value = try scalar(at: left, &budget), let other = try scalar(at: right, &budget) else {
        return false
      }
      return JSONScalar.areEqual(value, other)
    }
  }

  /// Where the value of each name stands.
  func memberTable(
    _ index: Int, _ budget: inout StepBudget
  ) throws(JSONPathFailure) -> [ArraySlice<UInt8>: Int] {
    let object = nodes[index]
    try budget.take(object.count * Self.stepsToHash)
    var table: [ArraySlice<UInt8>: Int] = [:]
    table.reserveCapacity(object.count)
    var at = index + 1
    while at < object.next {
      try budget.take(bytes: nodes[at].range.count)
      table[decodedBytes(nodes[at])] = at + 1
      at = Int(nodes[at + 1].next)
    }
    return table
  }

  private static let stepsToHash = 8
}

/// A number as it is written, compared by its value to the last digit: 1, 1.0 and 10e-1 are equal.
///
/// Nothing is rounded, whatever its size; an exponent beyond ±2⁵⁸ counts as that.
struct ExactNumber: Sendable {
  private let text: ArraySlice<UInt8>
  private let isNegative: Bool
  /// The first digit that is not zero, or nil for zero.
  private let firstDigit: Int?
  private let endOfDigits: Int
  /// The power of ten that the number is just below, when its digits stand behind a point.
  private let magnitude: Int

  /// Characters that it is written with.
  var size: Int { text.count }

  /// - Parameter text: What the grammar of JSON numbers was checked for.
  init(checked text: ArraySlice<UInt8>) {
    self.text = text
    isNegative = text.first == UInt8(ascii: "-")
    var first: Int?
    var point: Int?
    var at = text.startIndex + (isNegative ? 1 : 0)
    while at < text.endIndex, text[at] | 0x20 != UInt8(ascii: "e") {
      if text[at] == UInt8(ascii: ".") {
        point = at
      } else if first == nil, text[at] != UInt8(ascii: "0") {
        first = at
      }
      at += 1
    }
    firstDigit = first
    endOfDigits = at
    let size = (point ?? at) - (first ?? at)
    magnitude = (size < 0 ? size + 1 : size) + Self.exponent(text[at...].dropFirst())
  }

  init(_ number: Int) { self.init(checked: Array(String(number).utf8)[...]) }

  private static let largestExponent = 1 << 58

  private static func exponent(_ text: ArraySlice<UInt8>) -> Int {
    let isNegative = text.first == UInt8(ascii: "-")
    var exponent = 0
    for digit in text where isDigit(digit) {
      exponent = min(exponent * 10 + Int(digit - UInt8(ascii: "0")), largestExponent)
    }
    return isNegative ? -exponent : exponent
  }

  private var sign: Int { firstDigit == nil ? 0 : isNegative ? -1 : 1 }

  /// Below zero when this one is smaller, zero when both are equal.
  func compared(to other: ExactNumber) -> Int {
    guard sign == other.sign else { return sign - other.sign }
    guard let first = firstDigit, let otherFirst = other.firstDigit else { return 0 }
    guard magnitude == other.magnitude else { return magnitude < other.magnitude ? -sign : sign }
    var (at, otherAt) = (first, otherFirst)
    while at < endOfDigits || otherAt < other.endOfDigits {
      let (digit, otherDigit) = (digit(at: &at), other.digit(at: &otherAt))
      if digit != otherDigit { return digit < otherDigit ? -sign : sign }
    }
    return 0
  }

  /// Whether all digits behind the point are zeros.
  var isWhole: Bool {
    guard let first = firstDigit else { return true }
    var last = endOfDigits - 1
    while text[last] == UInt8(ascii: "0") || text[last] == UInt8(ascii: ".") { last -= 1 }
    let point = text[first...last].contains(UInt8(ascii: "."))
    return last - first + (point ? 0 : 1) <= magnitude
  }

  /// The digit here or behind the point that is here; behind the last digit follow zeros.
  private func digit(at: inout Int) -> UInt8 {
    if at < endOfDigits, text[at] == UInt8(ascii: ".") { at += 1 }
    guard at < endOfDigits else { return UInt8(ascii: "0") }
    defer { at += 1 }
    return text[at]
  }
}
