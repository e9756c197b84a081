/// The bytes of the words that are values.
enum Literal {
  static let `true`: [4 of UInt8] = [0x74, 0x72, 0x75, 0x65]
  static let `false`: [5 of UInt8] = [0x66, 0x61, 0x6C, 0x73, 0x65]
  static let null: [4 of UInt8] = [0x6E, 0x75, 0x6C, 0x6C]
}

/// Where the word that starts at `start` ends.
func endOfLiteral<let count: Int>(
  _ word: [count of UInt8], in source: Span<UInt8>, from start: Int
) throws(JSONError) -> Int {
  for at in 0..<count {
    guard start + at < source.count else { throw JSONError(.endsTooEarly, at: source.count) }
    guard source[start + at] == word[at] else { throw JSONError(.expectedValue, at: start) }
  }
  return start + count
}

/// Where the number that starts at `start` ends: no leading zero, digits on both sides of a point.
func endOfNumber(in source: Span<UInt8>, from start: Int) throws(JSONError) -> Int {
  var at = start
  if source[at] == UInt8(ascii: "-") { at += 1 }
  if at < source.count, source[at] == UInt8(ascii: "0") {
    at += 1
    if at < source.count, isDigit(source[at]) { throw JSONError(.malformedNumber, at: at) }
  } else {
    at = try endOfDigits(in: source, from: at)
  }
  if at < source.count, source[at] == UInt8(ascii: ".") {
    at = try endOfDigits(in: source, from: at + 1)
  }
  if at < source.count, source[at] | 0x20 == UInt8(ascii: "e") {
    at += 1
    if at < source.count, source[at] == UInt8(ascii: "+") || source[at] == UInt8(ascii: "-") { at += 1 }
    at = try endOfDigits(in: source, from: at)
  }
  return at
}

/// Where the run of digits that starts at `start` ends; there must be at least one.
private func endOfDigits(in source: Span<UInt8>, from start: Int) throws(JSONError) -> Int {
  guard start < source.count else { throw JSONError(.endsTooEarly, at: start) }
  guard isDigit(source[start]) else { throw JSONError(.malformedNumber, at: start) }
  var at = start + 1
  while at < source.count, isDigit(source[at]) { at += 1 }
  return at
}

func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") <= 9 }

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

/// Where the multi-byte UTF-8 sequence that starts at `start` ends, or nil when it is not well-formed.
///
/// The second byte's range excludes overlong forms, surrogates and what lies past U+10FFFF.
@inline(__always)
func endOfUTF8Sequence(in source: Span<UInt8>, from start: Int) -> Int? {
  let lead = source[start]
  // Most of the world's scripts.
  if lead &- 0xE1 < 0x0C, start + 2 < source.count {
    return isContinuation(source[start + 1]) && isContinuation(source[start + 2]) ? start + 3 : nil
  }
  guard start + 1 < source.count else { return nil }
  let second = source[start + 1]
  if lead < 0xE0 { return lead >= 0xC2 && isContinuation(second) ? start + 2 : nil }
  guard start + 2 < source.count, isContinuation(second), isContinuation(source[start + 2]) else {
    return nil
  }
  switch lead {
  case 0xE0: return second >= 0xA0 ? start + 3 : nil
  case 0xED: return second < 0xA0 ? start + 3 : nil
  case 0xE1...0xEF: return start + 3
  default: break
  }
  guard start + 3 < source.count, isContinuation(source[start + 3]) else { return nil }
  switch lead {
  case 0xF0: return second >= 0x90 ? start + 4 : nil
  case 0xF1...0xF3: return start + 4
  case 0xF4: return second < 0x90 ? start + 4 : nil
  default: return nil
  }
}

private func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

/// Whether bytes are members of an object as they stand between its braces, in UTF-8 and without white space between
/// them, so that they can go into an object as they are. Nothing is laid out, which takes less than a document.
///
/// - Parameter isFree: Asked of the name of each outermost member, as it is written.
public func areMinifiedMembers(_ bytes: [UInt8], where isFree: (ArraySlice<UInt8>) -> Bool) -> Bool {
  var scan = MinifiedScan()
  do throws(JSONError) {
    try scan.readMembers(bytes.span) { isFree(bytes[$0]) }
    return scan.at == bytes.count
  } catch {
    return false
  }
}

/// Goes over values without keeping anything of them.
private struct MinifiedScan {
  /// The object that the members go into may stand in others.
  private static let deepest = JSONLimits.around.depth - 4

  private(set) var at = 0
  private var depth = 0

  private func isAt(_ byte: UInt8, in source: Span<UInt8>) -> Bool { at < source.count && source[at] == byte }

  private mutating func takes(_ byte: UInt8, of source: Span<UInt8>) -> Bool {
    guard isAt(byte, in: source) else { return false }
    at += 1
    return true
  }

  mutating func readMembers(
    _ source: Span<UInt8>, where isFree: (Range<Int>) -> Bool = { _ in true }
  ) throws(JSONError) {
    repeat {
      let start = at
      guard isAt(UInt8(ascii: "\""), in: source) else { throw JSONError(.expectedKey, at: at) }
      at = try scanString(in: source, from: at).end
      guard isFree(start + 1..<at - 1) else { throw JSONError(.expectedKey, at: start) }
      guard takes(UInt8(ascii: ":"), of: source) else { throw JSONError(.expectedColon, at: at) }
      try readValue(source)
    } while takes(UInt8(ascii: ","), of: source)
  }

  private mutating func readValue(_ source: Span<UInt8>) throws(JSONError) {
    guard at < source.count else { throw JSONError(.endsTooEarly, at: at) }
    switch source[at] {
    case UInt8(ascii: "\""): at = try scanString(in: source, from: at).end
    case UInt8(ascii: "{"): try readContainer(source, isObject: true)
    case UInt8(ascii: "["): try readContainer(source, isObject: false)
    case UInt8(ascii: "t"): at = try endOfLiteral(Literal.true, in: source, from: at)
    case UInt8(ascii: "f"): at = try endOfLiteral(Literal.false, in: source, from: at)
    case UInt8(ascii: "n"): at = try endOfLiteral(Literal.null, in: source, from: at)
    default: at = try endOfNumber(in: source, from: at)
    }
  }

  private mutating func readContainer(_ source: Span<UInt8>, isObject: Bool) throws(JSONError) {
    guard depth < Self.deepest else { throw JSONError(.tooDeep, at: at) }
    let end = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
    (at, depth) = (at + 1, depth + 1)
    defer { depth -= 1 }
    if takes(end, of: source) { return }
    if isObject {
      try readMembers(source)
    } else {
      repeat { try readValue(source) } while takes(UInt8(ascii: ","), of: source)
    }
    guard takes(end, of: source) else { throw JSONError(.expectedValue, at: at) }
  }
}

extension Tape {
  func decodedString(_ node: TapeNode) -> String {
    node.hasEscapes
      ? String(decoding: decodedBytes(node), as: UTF8.self)
      : String(decoding: source[node.contents], as: UTF8.self)
  }

  /// The UTF-8 bytes a string node stands for.
  func decodedBytes(_ node: TapeNode) -> ArraySlice<UInt8> {
    guard node.hasEscapes else { return source[node.contents] }
    let source = source
    let span = source.span
    var output: [UInt8] = []
    output.reserveCapacity(node.contents.count)
    var runStart = node.contents.lowerBound
    var at = runStart
    while at < node.contents.upperBound {
      // The string was checked when it was read, so an escape that fails here cannot occur.
      guard source[at] == UInt8(ascii: "\\"), let escape = try? readEscape(in: span, at: at) else {
        at += 1
        continue
      }
      output.append(contentsOf: source[runStart..<at])
      output.append(contentsOf: escape.scalar.utf8)
      at = escape.end
      runStart = at
    }
    output.append(contentsOf: source[runStart..<node.contents.upperBound])
    return output[...]
  }

  /// Whether a string node stands for exactly these bytes; text is never normalised.
  func string(_ node: TapeNode, equals wanted: Span<UInt8>) -> Bool {
    let text = decodedBytes(node)
    return areEqual(text.span, wanted)
  }
}

/// Whether two runs of bytes are the same.
func areEqual(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
  guard left.count == right.count else { return false }
  for at in left.indices where left[at] != right[at] { return false }
  return true
}
