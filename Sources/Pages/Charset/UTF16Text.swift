/// UTF-16 in either order of bytes.
enum UTF16Text {
  static func utf8(from source: [UInt8], isBigEndian: Bool) -> [UInt8] {
    var text = UTF8Text(expecting: source.count)
    /// The first half of a pair.
    var lead: UInt32?
    for position in stride(from: 0, to: source.count - 1, by: 2) {
      let (first, second) = (UInt32(source[position]), UInt32(source[position + 1]))
      let unit = isBigEndian ? first << 8 | second : second << 8 | first
      let isTrail = 0xDC00...0xDFFF ~= unit
      if let high = lead {
        lead = nil
        if isTrail {
          text.append(0x1_0000 + (high - 0xD800) << 10 + unit - 0xDC00)
          continue
        }
        text.appendReplacement()
      }
      if 0xD800...0xDBFF ~= unit { lead = unit } else { text.append(unit) }
    }
    if lead != nil || source.count % 2 == 1 { text.appendReplacement() }
    return text.bytes
  }
}
