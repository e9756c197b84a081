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
