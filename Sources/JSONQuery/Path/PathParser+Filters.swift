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

  private mutating func takeOperator(_ token: StaticString) -> Bool {
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
    if take("==") { return .equal }
    if take("!=") { return .unequal }
    if take("<=") { return .lessOrEqual }
    if take(">=") { return .greaterOrEqual }
    if take("<") { return .less }
    if take(">") { return .greater }
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
      kind = .query(PathQuery(isRelative: isRelative, segments: try readSegments()))
    case UInt8(ascii: "'"), UInt8(ascii: "\""):
      kind = .literal(.string(try readString()[...]))
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      kind = .literal(try readNumber())
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
    case "true": return .literal(.bool(true))
    case "false": return .literal(.bool(false))
    case "null": return .literal(.null)
    default:
      cursor = start
      return nil
    }
  }
}

private func isFunctionByte(_ byte: UInt8) -> Bool {
  (UInt8(ascii: "a")...UInt8(ascii: "z")) ~= byte || byte == UInt8(ascii: "_") || isDigit(byte)
}
