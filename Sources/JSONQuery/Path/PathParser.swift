/// Reads a query from front to back (RFC 9535); the first thing that does not fit is the error.
///
/// Blanks are allowed inside the brackets of a singular query too, where the RFC's grammar forgot them.
struct PathParser {
  let source: [UInt8]
  var cursor = 0
  private var depth = 0

  /// Filters, parentheses and functions inside each other.
  private static let deepest = 64

  init(_ text: String) { source = Array(text.utf8) }

  mutating func readWholeQuery() throws(JSONPathError) -> PathQuery {
    guard take("$") else { throw error(.expectedRoot) }
    let query = PathQuery(isRelative: false, segments: try readSegments())
    guard cursor == source.count else { throw error(.expectedSegment) }
    return query
  }

  /// The segments behind `$` or `@`; blanks behind the last one are left alone.
  mutating func readSegments() throws(JSONPathError) -> [PathSegment] {
    var segments: [PathSegment] = []
    while true {
      let end = cursor
      skipBlanks()
      guard let segment = try readSegment() else {
        cursor = end
        return segments
      }
      segments.append(segment)
    }
  }

  private mutating func readSegment() throws(JSONPathError) -> PathSegment? {
    if next == UInt8(ascii: "[") { return PathSegment(isDescendant: false, selectors: try readBrackets()) }
    guard take(".") else { return nil }
    let isDescendant = take(".")
    if isDescendant, next == UInt8(ascii: "[") {
      return PathSegment(isDescendant: true, selectors: try readBrackets())
    }
    if take("*") { return PathSegment(isDescendant: isDescendant, selectors: [.wildcard]) }
    let start = cursor
    while let byte = next, isNameByte(byte), cursor > start || !isDigit(byte) { cursor += 1 }
    guard cursor > start else { throw error(isDescendant ? .expectedNameOrBracket : .expectedName) }
    return PathSegment(isDescendant: isDescendant, selectors: [.name(Array(source[start..<cursor]))])
  }

  private mutating func readBrackets() throws(JSONPathError) -> [PathSelector] {
    cursor += 1
    var selectors: [PathSelector] = []
    repeat {
      skipBlanks()
      selectors.append(try readSelector())
      skipBlanks()
    } while take(",")
    guard take("]") else {
      if case .filter? = selectors.last { throw error(.expectedOperator) }
      throw error(.expectedCommaOrBracket)
    }
    return selectors
  }

  private mutating func readSelector() throws(JSONPathError) -> PathSelector {
    switch next {
    case UInt8(ascii: "'"), UInt8(ascii: "\""): return .name(try readString())
    case UInt8(ascii: "*"):
      cursor += 1
      return .wildcard
    case UInt8(ascii: "?"):
      cursor += 1
      skipBlanks()
      return .filter(try readTest())
    default: return try readIndexOrSlice()
    }
  }

  private mutating func readIndexOrSlice() throws(JSONPathError) -> PathSelector {
    let start = try readInteger()
    let end = cursor
    skipBlanks()
    guard take(":") else {
      cursor = end
      guard let start else { throw error(.expectedSelector) }
      return .index(start)
    }
    var slice = PathSlice(start: start)
    skipBlanks()
    slice.end = try readInteger()
    skipBlanks()
    if take(":") {
      skipBlanks()
      slice.step = try readInteger() ?? 1
    }
    return .slice(slice)
  }

  /// Reads what stands inside one filter, pair of parentheses or function.
  mutating func nested<Value>(
    _ read: (inout PathParser) throws(JSONPathError) -> Value
  ) throws(JSONPathError) -> Value {
    guard depth < Self.deepest else { throw error(.tooDeep) }
    depth += 1
    defer { depth -= 1 }
    return try read(&self)
  }
}

extension PathParser {
  var next: UInt8? { cursor < source.count ? source[cursor] : nil }

  func error(_ reason: JSONPathError.Reason) -> JSONPathError { JSONPathError(reason, at: cursor) }

  mutating func skipBlanks() {
    while let byte = next, isWhitespace(byte) { cursor += 1 }
  }

  /// Goes past a token when it stands here.
  mutating func take(_ token: StaticString) -> Bool {
    let bytes = token.description.utf8
    guard source[cursor...].starts(with: bytes) else { return false }
    cursor += bytes.count
    return true
  }
}

/// A byte of a member's name written without quotes; all beyond ASCII counts.
private func isNameByte(_ byte: UInt8) -> Bool {
  byte >= 0x80 || byte == UInt8(ascii: "_") || isDigit(byte)
    || (UInt8(ascii: "a")...UInt8(ascii: "z")) ~= byte | 0x20
}
