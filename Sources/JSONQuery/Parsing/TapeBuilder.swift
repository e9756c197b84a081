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
  var cursor: Int
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

/// One value or member name: where it stands in the source, and where its subtree ends on the tape.
///
/// Nodes stand in the order of the source, a container before its children, a member's name before its value.
struct TapeNode: Sendable {
  static let maximumCount = Int(UInt32.max >> countShift)
  private static let countShift: UInt32 = 4
  private static let escapedBit: UInt32 = 8
  private static let kindMask: UInt32 = 7

  let start: UInt32
  private(set) var end: UInt32
  private(set) var next: UInt32
  /// Kind in three bits, then whether a string has escapes, then the number of elements or members.
  private var details: UInt32

  init(_ kind: JSONKind, from start: Int, to end: Int, next: Int, hasEscapes: Bool = false) {
    self.start = UInt32(truncatingIfNeeded: start)
    self.end = UInt32(truncatingIfNeeded: end)
    self.next = UInt32(truncatingIfNeeded: next)
    details = UInt32(kind.rawValue) | (hasEscapes ? Self.escapedBit : 0)
  }

  /// A container whose end is not known yet: its place holds the node of the container around it.
  init(opening kind: JSONKind, at start: Int, inside parent: Int) {
    self.init(kind, from: start, to: parent, next: 0)
  }

  /// Of a container that is open.
  var parent: Int { Int(end) }

  /// Keeps how many children an open container has while one of them is read.
  mutating func suspend(count: Int) {
    details = details & Self.kindMask | UInt32(truncatingIfNeeded: count) << Self.countShift
  }

  mutating func close(at end: Int, next: Int, count: Int) {
    self.end = UInt32(truncatingIfNeeded: end)
    self.next = UInt32(truncatingIfNeeded: next)
    suspend(count: count)
  }

  var kind: JSONKind { JSONKind(rawValue: UInt8(details & Self.kindMask)) ?? .null }
  var isObject: Bool { details & Self.kindMask == UInt32(JSONKind.object.rawValue) }
  var hasEscapes: Bool { details & Self.escapedBit != 0 }
  var count: Int { Int(details >> Self.countShift) }

  /// The bytes of the value, quotes and brackets included.
  var range: Range<Int> { Int(start)..<Int(end) }
  /// The bytes between the quotes of a string.
  var contents: Range<Int> { Int(start) + 1..<Int(end) - 1 }
}

/// What a document may cost; the defaults fit any body of 8 MiB.
public struct JSONLimits: Hashable, Sendable {
  /// How many arrays and objects may stand inside each other.
  public var depth: Int
  /// How many values and member names the document may hold; each takes 16 bytes of memory.
  public var values: Int

  /// Enough for whatever holds a document of the default limits.
  public static let around = JSONLimits(depth: 520, values: .max)

  /// Limits of `depth` levels and `values` values, with ceilings that keep the tape's fields in range.
  public init(depth: Int = 512, values: Int = 1 << 22) {
    self.depth = depth
    self.values = min(values, TapeNode.maximumCount)
  }
}

/// Why bytes are not a JSON document, and at which byte.
public struct JSONError: Error, Hashable, Sendable {
  /// What is wrong; the raw value is its wording in messages.
  public enum Reason: String, CaseIterable, Hashable, Sendable {
    case endsTooEarly = "the document ends too early"
    case expectedValue = "expected a value"
    case expectedKey = "expected a member name in double quotes"
    case expectedColon = "expected ':'"
    case expectedCommaOrBrace = "expected ',' or '}'"
    case expectedCommaOrBracket = "expected ',' or ']'"
    case contentAfterValue = "expected nothing after the value"
    case malformedNumber = "malformed number"
    case malformedEscape = "malformed escape"
    case loneSurrogate = "half of a surrogate pair"
    case controlCharacter = "control character inside a string"
    case malformedUTF8 = "malformed UTF-8"
    case malformedWideText = "malformed UTF-16 or UTF-32"
    case tooDeep = "nested too deeply"
    case tooManyValues = "too many values"
    case tooLarge = "too large"
  }

  /// Which of several texts is broken, counted from 1.
  public enum Place: Hashable, Sendable {
    /// Blank lines count.
    case line(Int)
    /// What stands behind a record separator.
    case text(Int)
  }

  /// The byte at which reading stopped, counted from 0 in the document as it came, also when that is UTF-16 or UTF-32.
  public var offset: Int
  public var reason: Reason
  /// nil unless there are several texts.
  public var place: Place?

  /// An error about the byte at `offset`.
  public init(_ reason: Reason, at offset: Int, in place: Place? = nil) {
    self.reason = reason
    self.offset = offset
    self.place = place
  }

  /// One line for people, such as `expected ',' or '}' at byte 17` or `line 3: malformed number at byte 40`.
  public var message: String {
    let what = "\(reason.rawValue) at byte \(offset)"
    return switch place {
    case .line(let number): "line \(number): \(what)"
    case .text(let number): "text \(number): \(what)"
    case nil: what
    }
  }
}
