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

  var next: UInt8? { cursor < source.count ? source[cursor] : nil }

  func error(_ reason: JSONPathError.Reason) -> JSONPathError { JSONPathError(reason, at: cursor) }

  mutating func skipBlanks() {
    while let byte = next, isWhitespace(byte) { cursor += 1 }
  }

  /// Goes past a token when it stands here.
  mutating func take(_ token: String) -> Bool {
    guard source[cursor...].starts(with: token.utf8) else { return false }
    cursor += token.utf8.count
    return true
  }
}

/// A byte of a member's name written without quotes; all beyond ASCII counts.
private func isNameByte(_ byte: UInt8) -> Bool {
  byte >= 0x80 || byte == UInt8(ascii: "_") || isDigit(byte)
    || (UInt8(ascii: "a")...UInt8(ascii: "z")) ~= byte | 0x20
}

extension PathParser {
  /// `||` binds weakest, then `&&`, then comparisons.
  mutating func readTest() throws(JSONPathError) -> PathTest {
    try nested { parser throws(JSONPathError) in
      var tests = [try parser.readConjunction()]
      while parser.takeOperator("||") { tests.append(try parser.readConjunction()) }
      return tests.count == 1 ? tests[0] : .any(tests)
    }
  }

  private mutating func readConjunction() throws(JSONPathError) -> PathTest {
    var tests = [try readBasicTest()]
    while takeOperator("&&") { tests.append(try readBasicTest()) }
    return tests.count == 1 ? tests[0] : .all(tests)
  }

  private mutating func takeOperator(_ token: String) -> Bool {
    let end = cursor
    skipBlanks()
    if take(token) {
      skipBlanks()
      return true
    }
    cursor = end
    return false
  }

  private mutating func readBasicTest() throws(JSONPathError) -> PathTest {
    if take("!") {
      skipBlanks()
      if next == UInt8(ascii: "(") { return .not(try readParentheses()) }
      guard let term = try readTerm() else { throw error(.expectedQueryOrFunction) }
      return .not(try term.test())
    }
    if next == UInt8(ascii: "(") { return try readParentheses() }
    guard let left = try readTerm() else { throw error(.expectedTest) }
    guard let comparison = readComparison() else { return try left.test() }
    let first = try left.operand()
    skipBlanks()
    guard let right = try readTerm() else { throw error(.expectedOperand) }
    return .compare(first, comparison, try right.operand())
  }

  private mutating func readParentheses() throws(JSONPathError) -> PathTest {
    cursor += 1
    skipBlanks()
    let test = try readTest()
    skipBlanks()
    guard take(")") else { throw error(.expectedParenthesis) }
    return test
  }

  private mutating func readComparison() -> PathComparison? {
    let end = cursor
    skipBlanks()
    for comparison in PathComparison.allCases where take(comparison.rawValue) { return comparison }
    cursor = end
    return nil
  }

  /// A literal, a query or a function, if one stands here.
  mutating func readTerm() throws(JSONPathError) -> PathTerm? {
    guard let first = next else { return nil }
    let start = cursor
    let kind: PathTerm.Kind
    switch first {
    case UInt8(ascii: "@"), UInt8(ascii: "$"):
      cursor += 1
      let isRelative = first == UInt8(ascii: "@")
      kind = .operand(.query(PathQuery(isRelative: isRelative, segments: try readSegments())))
    case UInt8(ascii: "'"), UInt8(ascii: "\""):
      kind = .operand(.literal(.string(try readString()[...])))
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      kind = .operand(.literal(try readNumber()))
    case UInt8(ascii: "a")...UInt8(ascii: "z"):
      guard let word = try readWord() else { return nil }
      kind = word
    default: return nil
    }
    return PathTerm(kind: kind, start: start)
  }

  private mutating func readWord() throws(JSONPathError) -> PathTerm.Kind? {
    let start = cursor
    while let byte = next, isFunctionByte(byte) { cursor += 1 }
    let word = String(decoding: source[start..<cursor], as: UTF8.self)
    if next == UInt8(ascii: "(") { return try readFunction(word, at: start) }
    switch word {
    case "true": return .operand(.literal(.bool(true)))
    case "false": return .operand(.literal(.bool(false)))
    case "null": return .operand(.literal(.null))
    default:
      cursor = start
      return nil
    }
  }
}

private func isFunctionByte(_ byte: UInt8) -> Bool {
  (UInt8(ascii: "a")...UInt8(ascii: "z")) ~= byte || byte == UInt8(ascii: "_") || isDigit(byte)
}

extension PathParser {
  /// The function whose name ends here, before its parenthesis.
  mutating func readFunction(_ name: String, at start: Int) throws(JSONPathError) -> PathTerm.Kind {
    switch name {
    case "length":
      return .operand(
        .length(try readArguments { parser throws(JSONPathError) in try parser.readArgument().operand() }))
    case "count":
      return .operand(
        .count(try readArguments { parser throws(JSONPathError) in try parser.readArgument().nodes() }))
    case "value":
      return .operand(
        .value(try readArguments { parser throws(JSONPathError) in try parser.readArgument().nodes() }))
    case "match", "search":
      return .match(
        try readArguments { parser throws(JSONPathError) in try parser.readMatch(isWhole: name == "match") })
    default: throw JSONPathError(.unknownFunction, at: start)
    }
  }

  private mutating func readArguments<Value>(
    _ read: (inout PathParser) throws(JSONPathError) -> Value
  ) throws(JSONPathError) -> Value {
    try nested { parser throws(JSONPathError) in
      parser.cursor += 1
      parser.skipBlanks()
      let arguments = try read(&parser)
      parser.skipBlanks()
      guard parser.take(")") else { throw parser.error(.expectedParenthesis) }
      return arguments
    }
  }

  private mutating func readArgument() throws(JSONPathError) -> PathTerm {
    guard let term = try readTerm() else { throw error(.expectedOperand) }
    return term
  }

  private mutating func readMatch(isWhole: Bool) throws(JSONPathError) -> PathMatch {
    let subject = try readArgument().operand()
    skipBlanks()
    guard take(",") else { throw error(.expectedArgument) }
    skipBlanks()
    let argument = try readArgument()
    let expression: PathMatch.Expression
    if case .operand(.literal(.string(let text))) = argument.kind {
      do {
        expression = .known(try Pattern(String(decoding: text, as: UTF8.self)))
      } catch PatternError.tooLarge {
        throw JSONPathError(.patternTooLarge, at: argument.start)
      } catch {
        expression = .known(nil)
      }
    } else {
      expression = .computed(try argument.operand())
    }
    return PathMatch(subject: subject, expression: expression, isWhole: isWhole)
  }

  /// A string in either kind of quotes.
  mutating func readString() throws(JSONPathError) -> [UInt8] {
    let quote = source[cursor]
    cursor += 1
    var text: [UInt8] = []
    while let byte = next {
      switch byte {
      case quote:
        cursor += 1
        return text
      case UInt8(ascii: "\\"): text += try readEscaped(insideOf: quote)
      case 0..<0x20: throw error(.controlCharacter)
      default:
        text.append(byte)
        cursor += 1
      }
    }
    throw error(.unterminatedString)
  }

  /// The escapes of JSON, but only the quote that needs it is escaped.
  private mutating func readEscaped(insideOf quote: UInt8) throws(JSONPathError) -> [UInt8] {
    guard cursor + 1 < source.count else { throw JSONPathError(.unterminatedString, at: source.count) }
    let letter = source[cursor + 1]
    if letter == quote {
      cursor += 2
      return [quote]
    }
    guard letter != UInt8(ascii: "\"") else { throw error(.malformedEscape) }
    do {
      let escape = try readEscape(in: source.span, at: cursor)
      cursor = escape.end
      return Array(escape.scalar.utf8)
    } catch {
      switch error.reason {
      case .loneSurrogate: throw JSONPathError(.loneSurrogate, at: error.offset)
      case .endsTooEarly: throw JSONPathError(.unterminatedString, at: error.offset)
      default: throw JSONPathError(.malformedEscape, at: error.offset)
      }
    }
  }

  /// An index or a part of a slice, if one stands here: no leading zeros, no `-0`, exact in any JSON reader.
  mutating func readInteger() throws(JSONPathError) -> Int? {
    let start = cursor
    let isNegative = take("-")
    let digits = cursor
    while let byte = next, isDigit(byte) { cursor += 1 }
    guard cursor > digits else {
      if isNegative { throw error(.malformedNumber) }
      return nil
    }
    guard source[digits] != UInt8(ascii: "0") || (cursor == digits + 1 && !isNegative) else {
      throw JSONPathError(.malformedNumber, at: start)
    }
    guard let number = Int(String(decoding: source[start..<cursor], as: UTF8.self)),
      number.magnitude <= Self.largestInteger
    else { throw JSONPathError(.integerOutOfRange, at: start) }
    return number
  }

  private static let largestInteger = 9_007_199_254_740_991

  /// A number to compare with, of any size.
  mutating func readNumber() throws(JSONPathError) -> JSONScalar {
    do {
      let end = try endOfNumber(in: source.span, from: cursor)
      let number = ExactNumber(checked: source[cursor..<end])
      cursor = end
      return .number(number)
    } catch {
      throw JSONPathError(.malformedNumber, at: error.offset)
    }
  }
}
