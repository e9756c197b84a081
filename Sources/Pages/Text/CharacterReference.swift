/// What an ampersand and the bytes behind it stand for.
struct CharacterReference: Sendable {
  var first: Unicode.Scalar
  var second: Unicode.Scalar?
  /// Where the text goes on.
  var end: Int

  /// Nil when the ampersand is just an ampersand.
  ///
  /// In an attribute a name without its semicolon is no reference when a letter, a digit or `=` follows:
  /// `?a=b&copy=1` keeps its parameters.
  static func read(
    in bytes: Span<UInt8>, at ampersand: Int, to end: Int, isAttribute: Bool
  ) -> CharacterReference? {
    let start = ampersand &+ 1
    guard start < end else { return nil }
    if bytes[start] == UInt8(ascii: "#") {
      return number(in: bytes, from: start &+ 1, to: end)
    }
    guard let match = NamedReferences.standard.longestMatch(in: bytes, from: start, to: end) else {
      return nil
    }
    let behind = start &+ match.length
    if isAttribute, !match.hasSemicolon, behind < end,
      bytes[behind] == .equals || bytes[behind].isASCIIAlphanumeric
    {
      return nil
    }
    return CharacterReference(first: match.first, second: match.second, end: behind)
  }

  private static func number(in bytes: Span<UInt8>, from start: Int, to end: Int) -> CharacterReference? {
    var index = start
    let isHexadecimal = index < end && bytes[index] | 0x20 == UInt8(ascii: "x")
    if isHexadecimal { index &+= 1 }
    let digits = index
    var value: UInt32 = 0
    while index < end, let digit = bytes[index].hexadecimalValue, isHexadecimal || digit < 10 {
      value = min(value &* (isHexadecimal ? 16 : 10) &+ digit, 0x110000)
      index &+= 1
    }
    guard index > digits else { return nil }
    if index < end, bytes[index] == .semicolon { index &+= 1 }
    return CharacterReference(first: scalar(numbered: value), second: nil, end: index)
  }

  /// Numbers of C1 controls mean what windows-1252 has there; what is no character is U+FFFD.
  private static func scalar(numbered value: UInt32) -> Unicode.Scalar {
    guard value != 0, let scalar = Unicode.Scalar(value) else { return "\u{FFFD}" }
    guard (0x80...0x9F).contains(value) else { return scalar }
    return c1Meanings[Int(value &- 0x80)] ?? scalar
  }

  private static let c1Meanings: [Unicode.Scalar?] = [
    "€", nil, "‚", "ƒ", "„", "…", "†", "‡", "ˆ", "‰", "Š", "‹", "Œ", nil, "Ž", nil,
    nil, "‘", "’", "“", "”", "•", "–", "—", "˜", "™", "š", "›", "œ", nil, "ž", "Ÿ",
  ]
}
