/// Charsets of single bytes and pairs: Shift_JIS, EUC-KR and Big5, decoded as the Encoding standard says.
enum PairText {
  private enum Meaning {
    case character(UInt32)
    case lead
    case nothing
  }

  static func shiftJIS(_ source: [UInt8]) -> [UInt8] {
    let index = PairIndex.shiftJIS
    let meaning = { (byte: UInt8) -> Meaning in
      switch byte {
      case ...0x80: .character(0x80)
      case 0xA1...0xDF: .character(0xFF61 + UInt32(byte - 0xA1))
      case 0xA0, 0xFD...: .nothing
      default: .lead
      }
    }
    return utf8(from: source, meaning) { lead, trail, text in append(index[lead, trail], to: &text) }
  }

  static func eucKR(_ source: [UInt8]) -> [UInt8] {
    let index = PairIndex.eucKR
    return utf8(from: source, meaning(of:)) { lead, trail, text in append(index[lead, trail], to: &text) }
  }

  static func big5(_ source: [UInt8]) -> [UInt8] {
    let index = PairIndex.big5
    return utf8(from: source, meaning(of:)) { lead, trail, text in
      guard let (letter, mark) = accented(lead, trail) else { return append(index[lead, trail], to: &text) }
      text.append(letter)
      text.append(mark)
      return true
    }
  }

  private static func meaning(of byte: UInt8) -> Meaning { byte == 0x80 || byte == 0xFF ? .nothing : .lead }

  /// The four pairs of Big5 that stand for a letter and a mark above it.
  private static func accented(_ lead: UInt8, _ trail: UInt8) -> (UInt32, UInt32)? {
    guard lead == 0x88 else { return nil }
    switch trail {
    case 0x62: return (0xCA, 0x304)
    case 0x64: return (0xCA, 0x30C)
    case 0xA3: return (0xEA, 0x304)
    case 0xA5: return (0xEA, 0x30C)
    default: return nil
    }
  }

  /// - Returns: Whether the pair means something.
  private static func append(_ number: UInt32, to text: inout UTF8Text) -> Bool {
    guard number != 0 else { return false }
    text.append(number)
    return true
  }

  /// A pair that means nothing is one bad character, but an ASCII byte is never swallowed.
  private static func utf8(
    from source: [UInt8], _ meaning: (UInt8) -> Meaning,
    pair: (_ lead: UInt8, _ trail: UInt8, inout UTF8Text) -> Bool
  ) -> [UInt8] {
    var text = UTF8Text(expecting: source.count)
    var position = 0
    while position < source.count {
      text.appendASCII(of: source, from: &position)
      guard position < source.count else { break }
      let byte = source[position]
      position += 1
      switch meaning(byte) {
      case .character(let number): text.append(number)
      case .nothing: text.appendReplacement()
      case .lead where position == source.count: text.appendReplacement()
      case .lead where pair(byte, source[position], &text): position += 1
      case .lead:
        text.appendReplacement()
        if source[position] >= 0x80 { position += 1 }
      }
    }
    return text.bytes
  }
}
