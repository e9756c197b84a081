/// Reads a document once from front to back and lays its values out on a tape, without recursion.
struct TapeBuilder {
  private struct OpenContainer {
    var node: Int
    var isObject: Bool
    var count: Int
  }

  private(set) var nodes: [TapeNode] = []
  /// Texts of a sequence that were passed over.
  private(set) var skipped: [JSONError] = []
  /// Whether no insignificant white space was met.
  private(set) var isMinified = true
  private(set) var cursor: Int
  private var open: [OpenContainer] = []
  private let limits: JSONLimits

  init(startingAt offset: Int, limits: JSONLimits) {
    cursor = offset
    self.limits = limits
  }

  mutating func build(_ source: Span<UInt8>) throws(JSONError) {
    nodes.reserveCapacity(min(limits.values, source.count / 16 + 4))
    try readText(source)
  }

  /// Reads one value and the white space around it, up to the end.
  mutating func readText(_ source: Span<UInt8>) throws(JSONError) {
    skipWhitespace(source)
    try readValue(source)
    while let container = open.last {
      try readNext(in: container, source)
    }
    skipWhitespace(source)
    guard cursor == source.count else { throw JSONError(.contentAfterValue, at: cursor) }
  }

  mutating func startText(at offset: Int) {
    cursor = offset
  }

  /// Forgets what was laid out of a broken text.
  mutating func passOver(_ error: JSONError, since count: Int) {
    skipped.append(error)
    nodes.removeSubrange(count...)
    open.removeAll()
  }

  mutating func closeNode(_ index: Int, at end: Int, count: Int) {
    nodes[index].close(at: end, next: nodes.count, count: count)
  }

  private mutating func readNext(in container: OpenContainer, _ source: Span<UInt8>) throws(JSONError) {
    skipWhitespace(source)
    var byte = try currentByte(source)
    if byte == (container.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
      cursor += 1
      closeNode(container.node, at: cursor, count: container.count)
      open.removeLast()
      return
    }
    if container.count > 0 {
      guard byte == UInt8(ascii: ",") else {
        throw JSONError(
          container.isObject ? .expectedCommaOrBrace : .expectedCommaOrBracket, at: cursor)
      }
      cursor += 1
      skipWhitespace(source)
    }
    open[open.count - 1].count += 1
    if container.isObject {
      byte = try currentByte(source)
      guard byte == UInt8(ascii: "\"") else { throw JSONError(.expectedKey, at: cursor) }
      try readString(source)
      try readColon(source)
    }
    try readValue(source)
  }

  private mutating func readColon(_ source: Span<UInt8>) throws(JSONError) {
    skipWhitespace(source)
    guard try currentByte(source) == UInt8(ascii: ":") else {
      throw JSONError(.expectedColon, at: cursor)
    }
    cursor += 1
    skipWhitespace(source)
  }

  private mutating func readValue(_ source: Span<UInt8>) throws(JSONError) {
    switch try currentByte(source) {
    case UInt8(ascii: "\""): try readString(source)
    case UInt8(ascii: "{"): try openContainer(.object)
    case UInt8(ascii: "["): try openContainer(.array)
    case UInt8(ascii: "t"): try readLiteral("true", .bool, source)
    case UInt8(ascii: "f"): try readLiteral("false", .bool, source)
    case UInt8(ascii: "n"): try readLiteral("null", .null, source)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      try append(.number, upTo: endOfNumber(in: source, from: cursor))
    default: throw JSONError(.expectedValue, at: cursor)
    }
  }

  private mutating func openContainer(_ kind: JSONKind) throws(JSONError) {
    guard open.count < limits.depth else { throw JSONError(.tooDeep, at: cursor) }
    open.append(OpenContainer(node: nodes.count, isObject: kind == .object, count: 0))
    try append(kind, upTo: cursor + 1)
  }

  private mutating func readString(_ source: Span<UInt8>) throws(JSONError) {
    let string = try scanString(in: source, from: cursor)
    try append(.string, upTo: string.end, hasEscapes: string.hasEscapes)
  }

  private mutating func readLiteral(
    _ literal: StaticString, _ kind: JSONKind, _ source: Span<UInt8>
  ) throws(JSONError) {
    let text = literal.description.utf8
    var end = cursor
    for byte in text {
      guard end < source.count else { throw JSONError(.endsTooEarly, at: end) }
      guard source[end] == byte else { throw JSONError(.expectedValue, at: cursor) }
      end += 1
    }
    try append(kind, upTo: end)
  }

  mutating func append(
    _ kind: JSONKind, upTo end: Int, hasEscapes: Bool = false
  ) throws(JSONError) {
    guard nodes.count < limits.values else { throw JSONError(.tooManyValues, at: cursor) }
    nodes.append(
      TapeNode(kind, from: cursor, to: end, next: nodes.count + 1, hasEscapes: hasEscapes))
    cursor = end
  }

  private func currentByte(_ source: Span<UInt8>) throws(JSONError) -> UInt8 {
    guard cursor < source.count else { throw JSONError(.endsTooEarly, at: cursor) }
    return source[cursor]
  }

  private mutating func skipWhitespace(_ source: Span<UInt8>) {
    guard cursor < source.count, isWhitespace(source[cursor]) else { return }
    isMinified = false
    repeat { cursor += 1 } while cursor < source.count && isWhitespace(source[cursor])
  }
}

/// The four bytes that may stand between tokens.
func isWhitespace(_ byte: UInt8) -> Bool {
  byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
}
