/// Rewrites ISO-2022-JP as EUC-JP, which has the same characters without the shifting.
///
/// The C library's own converter knows neither half-width katakana nor the vendors' kanji.
enum ISO2022JP {
  private enum Shift {
    case ascii
    case katakana
    case kanji
  }

  /// No character of EUC-JP, so that it becomes U+FFFD.
  private static let meaningless: UInt8 = 0xFF

  static func eucJP(from bytes: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var shift = Shift.ascii
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte == 0x1B, let (next, length) = escape(in: bytes, at: index) {
        shift = next
        index += length
        continue
      }
      index += 1
      let isPrintable = byte > 0x20 && byte < 0x7F
      switch shift {
      case .katakana where isPrintable && byte < 0x60:
        output += [0x8E, byte | 0x80]
      case .kanji where isPrintable && index < bytes.count && bytes[index] > 0x20 && bytes[index] < 0x7F:
        output += [byte | 0x80, bytes[index] | 0x80]
        index += 1
      case .katakana where isPrintable, .kanji where isPrintable:
        output.append(meaningless)
      case .ascii, .katakana, .kanji:
        output.append(byte < 0x80 && byte != 0x1B ? byte : meaningless)
      }
    }
    return output
  }

  private static func escape(in bytes: [UInt8], at index: Int) -> (Shift, length: Int)? {
    guard index + 2 < bytes.count else { return nil }
    switch (bytes[index + 1], bytes[index + 2]) {
    case (0x28, 0x42), (0x28, 0x4A): return (.ascii, 3)
    case (0x28, 0x49): return (.katakana, 3)
    case (0x24, 0x40), (0x24, 0x42): return (.kanji, 3)
    default: return nil
    }
  }
}
