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
