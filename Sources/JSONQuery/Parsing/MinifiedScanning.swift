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
