extension TOMLParser {
  mutating func readValue(depth: Int) throws(TOMLError) -> TOMLNode {
    guard depth <= TOMLLimits.depth else { throw cursor.problem("values stand in each other too deeply") }
    let position = cursor.position(of: cursor.offset)
    switch cursor.peek {
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      return TOMLNode(.value(.string(try cursor.string(allowingLines: true))), at: position)
    case UInt8(ascii: "["): return TOMLNode(.value(.array(try readArray(depth: depth))), at: position)
    case UInt8(ascii: "{"): return try readInlineTable(depth: depth, at: position)
    default: return TOMLNode(.value(try readWord()), at: position)
    }
  }

  private mutating func readArray(depth: Int) throws(TOMLError) -> [TOMLValue] {
    let start = cursor.offset
    cursor.advance()
    var values: [TOMLValue] = []
    while true {
      try skipLines()
      if cursor.take(UInt8(ascii: "]")) { return values }
      guard cursor.peek != nil else { throw cursor.problem("the array has no end", at: start) }
      values.append(try readValue(depth: depth + 1).value)
      try skipLines()
      if cursor.take(UInt8(ascii: ",")) { continue }
      guard cursor.take(UInt8(ascii: "]")) else { throw cursor.problem("expected ',' or ']'") }
      return values
    }
  }

  private mutating func readInlineTable(depth: Int, at position: TOMLPosition) throws(TOMLError) -> TOMLNode {
    cursor.advance()
    let table = TOMLNode(.table(.inline), at: position)
    cursor.skipBlanks()
    if cursor.take(UInt8(ascii: "}")) { return table }
    repeat {
      cursor.skipBlanks()
      try readMember(of: table, depth: depth)
      cursor.skipBlanks()
    } while cursor.take(UInt8(ascii: ","))
    guard cursor.take(UInt8(ascii: "}")) else { throw cursor.problem("expected ',' or '}'") }
    return table
  }

  /// A number or a boolean.
  private mutating func readWord() throws(TOMLError) -> TOMLValue.Content {
    let start = cursor.offset
    let word = cursor.takeWord(with: "_+-.:")
    if word.isEmpty { throw cursor.problem("expected a value", at: start) }
    if word == "true" || word == "false" { return .boolean(word == "true") }
    if let number = TOMLNumber.read(word) { return number }
    let words = word.first?.isLetter == true ? "; a text stands in quotes" : ""
    throw cursor.problem("'\(word.prefix(40))' is neither a number nor true or false\(words)", at: start)
  }
}

/// Integers and floats as TOML writes them.
enum TOMLNumber {
  static func read(_ word: String) -> TOMLValue.Content? {
    let bytes = Array(word.utf8)
    let sign = bytes.first == UInt8(ascii: "+") || bytes.first == UInt8(ascii: "-") ? 1 : 0
    let unsigned = Array(bytes[sign...])
    let isNegative = bytes.first == UInt8(ascii: "-")
    if let digits = decimal(unsigned[...]) {
      return Int64((isNegative ? "-" : "") + digits).map { .integer($0) }
    }
    return float(unsigned).flatMap { Double((isNegative ? "-" : "") + $0) }.flatMap {
      $0.isFinite ? .float($0) : nil
    }
  }

  /// The digits without underscores, each of which must stand between two digits.
  private static func digits(_ bytes: ArraySlice<UInt8>) -> String? {
    let parts = bytes.split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty }) else { return nil }
    let text = parts.map { String(decoding: $0, as: UTF8.self) }.joined()
    return text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) ? text : nil
  }

  /// Without a zero in front, unless it is the only digit.
  private static func decimal(_ bytes: ArraySlice<UInt8>) -> String? {
    guard let text = digits(bytes), text == "0" || !text.hasPrefix("0") else { return nil }
    return text
  }

  private static func float(_ bytes: [UInt8]) -> String? {
    let mark = bytes.firstIndex { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") } ?? bytes.endIndex
    let mantissa = bytes[..<mark].split(
      separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = mantissa.first, let whole = decimal(first) else { return nil }
    var text = whole
    if mantissa.count == 2 {
      guard let fraction = digits(mantissa[1]) else { return nil }
      text += ".\(fraction)"
    }
    guard mark < bytes.endIndex else { return mantissa.count == 2 ? text : nil }
    var exponent = bytes[(mark + 1)...]
    var sign = ""
    if let first = exponent.first, first == UInt8(ascii: "+") || first == UInt8(ascii: "-") {
      sign = first == UInt8(ascii: "-") ? "-" : ""
      exponent = exponent.dropFirst()
    }
    return digits(exponent).map { "\(text)e\(sign)\($0)" }
  }
}
