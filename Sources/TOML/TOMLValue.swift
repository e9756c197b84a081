/// A place in a document, counted from 1; columns count characters of Unicode.
package struct TOMLPosition: Hashable, Sendable {
  package var line: Int
  package var column: Int

  package init(line: Int, column: Int) {
    (self.line, self.column) = (line, column)
  }
}

/// Why a text is not TOML 1.0, and where.
package struct TOMLError: Error, Hashable, Sendable {
  package var position: TOMLPosition
  package var message: String
}

/// A value and where it stands.
package struct TOMLValue {
  package enum Content {
    case string(String)
    case integer(Int64)
    case float(Double)
    case boolean(Bool)
    case array([TOMLValue])
    case table(TOMLTable)
  }

  package let content: Content
  package let position: TOMLPosition

  /// What it is, for messages.
  package var kind: String {
    switch content {
    case .string: "a string"
    case .integer: "an integer"
    case .float: "a float"
    case .boolean: "a boolean"
    case .array: "an array"
    case .table: "a table"
    }
  }
}

/// The members of a table, in the order of the document. They can still grow while it is being read.
package final class TOMLTable {
  package struct Member {
    package let key: String
    /// Where the key was written first.
    package let position: TOMLPosition
    package let value: TOMLValue
  }

  /// How a table came to be, which decides what may still be added to it.
  enum Origin {
    /// By a header of a table below it; one of its own may follow.
    case passedThrough
    case header
    case dottedKey
    /// Nothing may be added.
    case inline
  }

  package private(set) var members: [Member] = []
  private var indexes: [String: Int] = [:]
  var origin: Origin

  init(_ origin: Origin) {
    self.origin = origin
  }

  /// Reads a document of TOML 1.0. What no setting takes is refused: dates and times, arrays of tables, integers that are not
  /// decimal, infinity and what is no number.
  package convenience init(parsing bytes: [UInt8]) throws(TOMLError) {
    self.init(.header)
    var parser = TOMLParser(bytes, into: self)
    try parser.readDocument()
  }

  package subscript(key: String) -> TOMLValue? {
    indexes[key].map { members[$0].value }
  }

  func add(_ value: TOMLValue, as key: String, at position: TOMLPosition) {
    indexes[key] = members.count
    members.append(Member(key: key, position: position, value: value))
  }
}

extension TOMLParser {
  mutating func readValue(depth: Int) throws(TOMLError) -> TOMLValue {
    guard depth <= Self.deepest else { throw cursor.problem("values stand in each other too deeply") }
    let position = cursor.position(of: cursor.offset)
    let content: TOMLValue.Content =
      switch cursor.peek {
      case UInt8(ascii: "\""), UInt8(ascii: "'"): .string(try cursor.string(allowingLines: true))
      case UInt8(ascii: "["): .array(try readArray(depth: depth))
      case UInt8(ascii: "{"): .table(try readInlineTable(depth: depth))
      default: try readWord()
      }
    return TOMLValue(content: content, position: position)
  }

  private mutating func readArray(depth: Int) throws(TOMLError) -> [TOMLValue] {
    let start = cursor.offset
    cursor.advance()
    var values: [TOMLValue] = []
    while true {
      try skipLines()
      if cursor.take(UInt8(ascii: "]")) { return values }
      guard cursor.peek != nil else { throw cursor.problem("the array has no end", at: start) }
      values.append(try readValue(depth: depth + 1))
      try skipLines()
      if cursor.take(UInt8(ascii: ",")) { continue }
      guard cursor.take(UInt8(ascii: "]")) else { throw cursor.problem("expected ',' or ']'") }
      return values
    }
  }

  private mutating func readInlineTable(depth: Int) throws(TOMLError) -> TOMLTable {
    cursor.advance()
    let table = TOMLTable(.inline)
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

extension TOMLCursor {
  private static let quote = UInt8(ascii: "\"")
  private static let backslash = UInt8(ascii: "\\")

  /// Reads a string of any of the four forms; keys have no lines.
  mutating func string(allowingLines: Bool) throws(TOMLError) -> String {
    let start = offset
    guard let mark = peek else { throw problem("expected a string") }
    let isLong = peek(ahead: 1) == mark && peek(ahead: 2) == mark
    guard allowingLines || !isLong else { throw problem("a key of several lines") }
    advance(by: isLong ? 3 : 1)
    if isLong { _ = takeLineEnd() }
    var text: [UInt8] = []
    while true {
      guard let byte = peek else { throw problem("the string has no end", at: start) }
      if byte == mark, takeEnd(mark, isLong: isLong, &text) { break }
      if byte == mark { continue }
      if mark == Self.quote, byte == Self.backslash {
        try readEscape(isLong: isLong, &text)
      } else if isAtLineEnd {
        guard isLong else { throw problem("the string has no end", at: start) }
        _ = takeLineEnd()
        text.append(0x0A)
      } else {
        guard byte >= 0x20 && byte != 0x7F || byte == 0x09 else {
          throw problem("a control character in a string")
        }
        text.append(byte)
        advance()
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// False when the quotes, up to two of them in a row, belong to the text.
  private mutating func takeEnd(_ mark: UInt8, isLong: Bool, _ text: inout [UInt8]) -> Bool {
    guard isLong else {
      advance()
      return true
    }
    var count = 0
    while count < 5, peek(ahead: count) == mark { count += 1 }
    advance(by: count)
    let inside = count >= 3 ? count - 3 : count
    text += [UInt8](repeating: mark, count: inside)
    return count >= 3
  }

  private mutating func readEscape(isLong: Bool, _ text: inout [UInt8]) throws(TOMLError) {
    let start = offset
    advance()
    if isLong, try takeLineContinuation() { return }
    guard let letter = peek else { throw problem("the string has no end", at: start) }
    advance()
    switch letter {
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "r"): text.append(0x0D)
    case Self.quote, Self.backslash: text.append(letter)
    case UInt8(ascii: "u"): try readScalar(digits: 4, from: start, &text)
    case UInt8(ascii: "U"): try readScalar(digits: 8, from: start, &text)
    default: throw problem("an unknown escape", at: start)
    }
  }

  /// Behind a backslash at the end of a line all blanks and line ends are left out.
  private mutating func takeLineContinuation() throws(TOMLError) -> Bool {
    var count = 0
    while let byte = peek(ahead: count), byte == 0x20 || byte == 0x09 { count += 1 }
    let next = peek(ahead: count)
    guard next == 0x0A || next == 0x0D && peek(ahead: count + 1) == 0x0A else { return false }
    repeat { skipBlanks() } while takeLineEnd()
    return true
  }

  private mutating func readScalar(
    digits: Int, from start: Int, _ text: inout [UInt8]
  ) throws(TOMLError) {
    var value: UInt32 = 0
    for _ in 0..<digits {
      guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw problem("expected \(digits) hexadecimal digits", at: start)
      }
      value = value << 4 | UInt32(digit)
      advance()
    }
    guard let scalar = Unicode.Scalar(value) else { throw problem("no character of Unicode", at: start) }
    text += Array(String(scalar).utf8)
  }
}
