/// Where the multi-byte UTF-8 sequence that starts at `start` ends, or nil when it is not well-formed.
///
/// The second byte's range excludes overlong forms, surrogates and what lies past U+10FFFF.
func endOfUTF8Sequence(in source: Span<UInt8>, from start: Int) -> Int? {
  let length: Int
  let second: ClosedRange<UInt8>
  switch source[start] {
  case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
  case 0xE0: (length, second) = (3, 0xA0...0xBF)
  case 0xED: (length, second) = (3, 0x80...0x9F)
  case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
  case 0xF0: (length, second) = (4, 0x90...0xBF)
  case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
  case 0xF4: (length, second) = (4, 0x80...0x8F)
  default: return nil
  }
  let end = start + length
  guard end <= source.count, second.contains(source[start + 1]) else { return nil }
  for at in start + 2..<end where source[at] & 0xC0 != 0x80 { return nil }
  return end
}
