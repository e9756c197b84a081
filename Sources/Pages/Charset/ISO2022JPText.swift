/// ISO-2022-JP, in which escape sequences say what the bytes that follow mean.
enum ISO2022JPText {
  private enum Shift {
    case ascii
    case roman
    case katakana
    case kanji
  }

  static func utf8(from source: [UInt8]) -> [UInt8] {
    let index = PairIndex.shiftJIS
    var text = UTF8Text(expecting: source.count * 2)
    var shift = Shift.ascii
    /// Nothing stood between the last escape sequence and this place.
    var hasJustShifted = false
    var position = 0
    while position < source.count {
      let byte = source[position]
      position += 1
      if byte == 0x1B {
        guard let next = self.shift(of: source, at: position) else {
          hasJustShifted = false
          text.appendReplacement()
          continue
        }
        position += 2
        shift = next
        if hasJustShifted { text.appendReplacement() }
        hasJustShifted = true
        continue
      }
      hasJustShifted = false
      let isPrintable = (0x21...0x7E).contains(byte)
      switch shift {
      case .ascii where byte < 0x80 && !isShift(byte): text.append(ascii: byte)
      case .roman where byte < 0x80 && !isShift(byte): text.append(roman(byte))
      case .katakana where (0x21...0x5F).contains(byte): text.append(0xFF61 + UInt32(byte - 0x21))
      case .kanji where isPrintable: appendKanji(byte, source, &position, index, &text)
      case .ascii, .roman, .katakana, .kanji: text.appendReplacement()
      }
    }
    return text.bytes
  }

  private static func appendKanji(
    _ lead: UInt8, _ source: [UInt8], _ position: inout Int, _ index: PairIndex, _ text: inout UTF8Text
  ) {
    guard position < source.count, source[position] != 0x1B else {
      text.appendReplacement()
      return
    }
    let trail = source[position]
    position += 1
    let number = (0x21...0x7E).contains(trail) ? index.jis0208(lead | 0x80, trail | 0x80) : 0
    if number != 0 { text.append(number) } else { text.appendReplacement() }
  }

  private static func isShift(_ byte: UInt8) -> Bool { byte == 0x0E || byte == 0x0F }

  /// Two signs differ from ASCII.
  private static func roman(_ byte: UInt8) -> UInt32 {
    switch byte {
    case 0x5C: 0xA5
    case 0x7E: 0x203E
    default: UInt32(byte)
    }
  }

  private static func shift(of source: [UInt8], at position: Int) -> Shift? {
    guard position + 1 < source.count else { return nil }
    switch (source[position], source[position + 1]) {
    case (0x28, 0x42): return .ascii
    case (0x28, 0x4A): return .roman
    case (0x28, 0x49): return .katakana
    case (0x24, 0x40), (0x24, 0x42): return .kanji
    default: return nil
    }
  }
}
