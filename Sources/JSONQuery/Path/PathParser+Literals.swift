extension PathParser {
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
