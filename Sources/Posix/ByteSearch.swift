private import CPosix

extension Span<UInt8> {
  /// Where a byte stands for the last time before `end`.
  public func lastIndex(of byte: UInt8, before end: Int) -> Int? {
    guard end > 0 else { return nil }
    return unsafe withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress,
        let found = unsafe memrchr(base, CInt(byte), Swift.min(end, count))
      else { return nil }
      return unsafe UnsafeRawPointer(found) - base
    }
  }

  /// Where a byte stands next, as fast as the C library finds it, or the end.
  public func firstIndex(of byte: UInt8, from start: Int) -> Int {
    guard start >= 0, start < count else { return count }
    return unsafe withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress, let found = unsafe memchr(base + start, CInt(byte), count - start)
      else { return count }
      return unsafe UnsafeRawPointer(found) - base
    }
  }

  /// Where a small letter, or its capital, stands next, or the end.
  public func firstIndex(ofLetter letter: UInt8, from start: Int) -> Int {
    guard start >= 0, start < count else { return count }
    return unsafe withUnsafeBytes { unsafe Int(cposix_find_letter($0.baseAddress, start, count, letter)) }
  }

  /// Where a byte stands next that the strings of JSON escape, or the end.
  public func firstIndexOfEscaped(from start: Int) -> Int {
    guard start >= 0, start < count else { return count }
    return unsafe withUnsafeBytes { unsafe Int(cposix_find_escaped($0.baseAddress, start, count)) }
  }
}
