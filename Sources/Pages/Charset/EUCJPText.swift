/// EUC-JP: pairs, half-width katakana behind 0x8E and the pairs of a second table behind 0x8F.
enum EUCJPText {
  static func utf8(from source: [UInt8]) -> [UInt8] {
    let (first, second) = (PairIndex.shiftJIS, PairIndex.jis0212)
    var text = UTF8Text(expecting: source.count)
    var position = 0
    while position < source.count {
      text.appendASCII(of: source, from: &position)
      guard position < source.count else { break }
      var lead = source[position]
      var isSecond = false
      position += 1
      if lead == 0x8F, position < source.count, (0xA1...0xFE).contains(source[position]) {
        (lead, isSecond) = (source[position], true)
        position += 1
      }
      guard lead == 0x8E || (0xA1...0xFE).contains(lead), position < source.count else {
        text.appendReplacement()
        // A byte that can be neither lead nor trail is bad by itself, unless it ends what a lead began.
        if lead == 0x8F, position < source.count, source[position] >= 0x80 { position += 1 }
        continue
      }
      let trail = source[position]
      let isKatakana = lead == 0x8E && (0xA1...0xDF).contains(trail)
      let kanji = isSecond ? second[lead, trail] : first.jis0208(lead, trail)
      let number = isKatakana ? 0xFF61 + UInt32(trail - 0xA1) : kanji
      if number != 0 { text.append(number) } else { text.appendReplacement() }
      if trail >= 0x80 { position += 1 }
    }
    return text.bytes
  }
}
