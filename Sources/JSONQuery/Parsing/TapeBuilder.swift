/// Reads a document once from front to back and lays its values out on a tape, without recursion.
struct TapeBuilder {
  /// The innermost container that is open; while `depth` is 0 there is none.
  private struct OpenContainer {
    var node = 0
    var isObject = false
    var count = 0
  }

  private(set) var nodes: [TapeNode] = []
  /// Texts of a sequence that were passed over.
  private(set) var skipped: [JSONError] = []
  /// Whether no insignificant white space was met.
  private(set) var isMinified = true
  private(set) var cursor: Int
  /// Each node of an open one knows the one around it.
  private var inner = OpenContainer()
  private var depth = 0
  private let limits: JSONLimits

  init(startingAt offset: Int, limits: JSONLimits) {
    cursor = offset
    self.limits = limits
  }

  mutating func build(_ source: Span<UInt8>) throws(JSONError) {
    nodes.reserveCapacity(min(limits.values, source.count / 4 + 4))
    try readText(source)
  }

  /// Reads one value and the white space around it, up to the end.
  mutating func readText(_ source: Span<UInt8>) throws(JSONError) {
    skipWhitespace(source)
    try readValue(source)
    while depth > 0 {
      try readNext(source)
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
    depth = 0
  }

  mutating func closeNode(_ index: Int, at end: Int, count: Int) {
    nodes[index].close(at: end, next: nodes.count, count: count)
  }

  @inline(__always)
  private mutating func readNext(_ source: Span<UInt8>) throws(JSONError) {
    var byte = try nextByte(source)
    if inner.count > 0, byte == UInt8(ascii: ",") {
      cursor += 1
      byte = try nextByte(source)
    } else if byte == (inner.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
      return close()
    } else if inner.count > 0 {
      throw JSONError(inner.isObject ? .expectedCommaOrBrace : .expectedCommaOrBracket, at: cursor)
    }
    inner.count += 1
    if inner.isObject {
      guard byte == UInt8(ascii: "\"") else { throw JSONError(.expectedKey, at: cursor) }
      try readString(source)
      guard try nextByte(source) == UInt8(ascii: ":") else { throw JSONError(.expectedColon, at: cursor) }
      cursor += 1
      skipWhitespace(source)
    }
    try readValue(source)
  }

  private mutating func readValue(_ source: Span<UInt8>) throws(JSONError) {
    guard cursor < source.count else { throw JSONError(.endsTooEarly, at: cursor) }
    switch source[cursor] {
    case UInt8(ascii: "\""): try readString(source)
    case UInt8(ascii: "{"): try openContainer(.object)
    case UInt8(ascii: "["): try openContainer(.array)
    case UInt8(ascii: "t"): try append(.bool, upTo: endOfLiteral(Literal.true, in: source, from: cursor))
    case UInt8(ascii: "f"): try append(.bool, upTo: endOfLiteral(Literal.false, in: source, from: cursor))
    case UInt8(ascii: "n"): try append(.null, upTo: endOfLiteral(Literal.null, in: source, from: cursor))
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      try append(.number, upTo: endOfNumber(in: source, from: cursor))
    default: throw JSONError(.expectedValue, at: cursor)
    }
  }

  @inline(__always)
  private mutating func openContainer(_ kind: JSONKind) throws(JSONError) {
    guard depth < limits.depth else { throw JSONError(.tooDeep, at: cursor) }
    guard nodes.count < limits.values else { throw JSONError(.tooManyValues, at: cursor) }
    let node = nodes.count
    if depth > 0 { nodes[inner.node].suspend(count: inner.count) }
    nodes.append(TapeNode(opening: kind, at: cursor, inside: inner.node))
    inner = OpenContainer(node: node, isObject: kind == .object)
    depth += 1
    cursor += 1
  }

  @inline(__always)
  private mutating func close() {
    cursor += 1
    let outer = nodes[inner.node].parent
    closeNode(inner.node, at: cursor, count: inner.count)
    depth -= 1
    guard depth > 0 else { return }
    let node = nodes[outer]
    inner = OpenContainer(node: outer, isObject: node.isObject, count: node.count)
  }

  private mutating func readString(_ source: Span<UInt8>) throws(JSONError) {
    let string = try scanString(in: source, from: cursor)
    try append(.string, upTo: string.end, hasEscapes: string.hasEscapes)
  }

  @inline(__always)
  mutating func append(
    _ kind: JSONKind, upTo end: Int, hasEscapes: Bool = false
  ) throws(JSONError) {
    guard nodes.count < limits.values else { throw JSONError(.tooManyValues, at: cursor) }
    nodes.append(
      TapeNode(kind, from: cursor, to: end, next: nodes.count + 1, hasEscapes: hasEscapes))
    cursor = end
  }

  /// The byte behind white space; it is not passed over.
  @inline(__always)
  private mutating func nextByte(_ source: Span<UInt8>) throws(JSONError) -> UInt8 {
    guard cursor < source.count else { throw JSONError(.endsTooEarly, at: cursor) }
    let byte = source[cursor]
    guard isWhitespace(byte) else { return byte }
    skipWhitespace(source)
    guard cursor < source.count else { throw JSONError(.endsTooEarly, at: cursor) }
    return source[cursor]
  }

  @inline(__always)
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
