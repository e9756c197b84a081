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
