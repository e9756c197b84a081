/// Reads a document once from front to back and lays its values out on a tape, without recursion.
struct TapeBuilder {
  private struct OpenContainer {
    var node: Int
    var isObject: Bool
    var count = 0
  }

  private(set) var nodes: [TapeNode] = []
  /// Texts of a sequence that were passed over.
  private(set) var skipped: [JSONError] = []
  /// Whether no insignificant white space was met.
  private(set) var isMinified = true
  private(set) var cursor: Int
  /// The innermost one that is open. Each node of an open one knows the one around it.
  private var inner: OpenContainer?
  private var depth = 0
  private let limits: JSONLimits

  init(startingAt offset: Int, limits: JSONLimits) {
    cursor = offset
    self.limits = limits
  }

  mutating func build(_ source: Span<UInt8>) throws(JSONError) {
    nodes.reserveCapacity(min(limits.values, source.count / 8 + 4))
    try readText(source)
  }

  /// Reads one value and the white space around it, up to the end.
  mutating func readText(_ source: Span<UInt8>) throws(JSONError) {
    skipWhitespace(source)
    try readValue(source)
    while let container = inner {
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
    inner = nil
    depth = 0
  }

  mutating func closeNode(_ index: Int, at end: Int, count: Int) {
    nodes[index].close(at: end, next: nodes.count, count: count)
  }

  private mutating func readNext(in container: OpenContainer, _ source: Span<UInt8>) throws(JSONError) {
    var byte = try nextByte(source)
    if container.count > 0, byte == UInt8(ascii: ",") {
      cursor += 1
      byte = try nextByte(source)
    } else if byte == (container.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
      return close(container)
    } else if container.count > 0 {
      throw JSONError(container.isObject ? .expectedCommaOrBrace : .expectedCommaOrBracket, at: cursor)
    }
    inner = OpenContainer(node: container.node, isObject: container.isObject, count: container.count + 1)
    if container.isObject {
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

  private mutating func openContainer(_ kind: JSONKind) throws(JSONError) {
    guard depth < limits.depth else { throw JSONError(.tooDeep, at: cursor) }
    guard nodes.count < limits.values else { throw JSONError(.tooManyValues, at: cursor) }
    let node = nodes.count
    if let inner { nodes[inner.node].suspend(count: inner.count) }
    nodes.append(TapeNode(opening: kind, at: cursor, inside: inner?.node ?? node))
    inner = OpenContainer(node: node, isObject: kind == .object)
    depth += 1
    cursor += 1
  }

  private mutating func close(_ container: OpenContainer) {
    cursor += 1
    let parent = nodes[container.node].parent
    closeNode(container.node, at: cursor, count: container.count)
    depth -= 1
    inner =
      depth == 0
      ? nil
      : OpenContainer(node: parent, isObject: nodes[parent].kind == .object, count: nodes[parent].count)
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
