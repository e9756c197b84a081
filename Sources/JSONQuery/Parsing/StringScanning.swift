/// Checks the string whose opening quote stands at `start`; its end is past the closing quote.
@inline(__always)
func scanString(
  in source: Span<UInt8>, from start: Int
) throws(JSONError) -> (end: Int, hasEscapes: Bool) {
  var at = start + 1
  var hasEscapes = false
  while true {
    while at < source.count, isPlain(source[at]) { at += 1 }
    guard at < source.count else { throw JSONError(.endsTooEarly, at: at) }
    switch source[at] {
    case UInt8(ascii: "\""):
      return (at + 1, hasEscapes)
    case UInt8(ascii: "\\"):
      hasEscapes = true
      at = try readEscape(in: source, at: at).end
    case 0..<0x20:
      throw JSONError(.controlCharacter, at: at)
    default:
      // Where one stands, others follow.
      repeat {
        guard let end = endOfUTF8Sequence(in: source, from: at) else {
          throw JSONError(.malformedUTF8, at: at)
        }
        at = end
      } while at < source.count && source[at] >= 0x80
    }
  }
}

/// A byte that stands for itself: ASCII, not a control character, a quote or a backslash.
func isPlain(_ byte: UInt8) -> Bool {
  byte >= 0x20 && byte < 0x80 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
}

/// The character an escape stands for; a surrogate pair is one escape of twelve bytes.
func readEscape(
  in source: Span<UInt8>, at start: Int
) throws(JSONError) -> (scalar: Unicode.Scalar, end: Int) {
  guard start + 1 < source.count else { throw JSONError(.endsTooEarly, at: source.count) }
  let letter = source[start + 1]
  if letter != UInt8(ascii: "u") {
    guard let scalar = shortEscape(letter) else { throw JSONError(.malformedEscape, at: start) }
    return (scalar, start + 2)
  }
  let first = try readFourHexDigits(in: source, from: start + 2)
  if let scalar = Unicode.Scalar(first) { return (scalar, start + 6) }
  // What is no scalar value is a surrogate: it must be a high one, with a low one right behind it.
  guard UTF16.isLeadSurrogate(first), start + 7 < source.count,
    source[start + 6] == UInt8(ascii: "\\"), source[start + 7] == UInt8(ascii: "u")
  else { throw JSONError(.loneSurrogate, at: start) }
  let second = try readFourHexDigits(in: source, from: start + 8)
  guard UTF16.isTrailSurrogate(second) else { throw JSONError(.loneSurrogate, at: start) }
  let pair = 0x10000 + (UInt32(first & 0x3FF) << 10 | UInt32(second & 0x3FF))
  guard let scalar = Unicode.Scalar(pair) else { throw JSONError(.loneSurrogate, at: start) }
  return (scalar, start + 12)
}

private func shortEscape(_ letter: UInt8) -> Unicode.Scalar? {
  switch letter {
  case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): Unicode.Scalar(letter)
  case UInt8(ascii: "b"): "\u{8}"
  case UInt8(ascii: "f"): "\u{C}"
  case UInt8(ascii: "n"): "\n"
  case UInt8(ascii: "r"): "\r"
  case UInt8(ascii: "t"): "\t"
  default: nil
  }
}

private func readFourHexDigits(in source: Span<UInt8>, from start: Int) throws(JSONError) -> UInt16 {
  var value: UInt16 = 0
  for at in start..<start + 4 {
    guard at < source.count else { throw JSONError(.endsTooEarly, at: source.count) }
    guard let digit = hexDigit(source[at]) else { throw JSONError(.malformedEscape, at: at) }
    value = value << 4 | UInt16(digit)
  }
  return value
}

/// The value of an ASCII hexadecimal digit of either case.
func hexDigit(_ byte: UInt8) -> UInt8? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
  default: nil
  }
}
