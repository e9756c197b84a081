/// Charsets in which every byte is a character.
enum SingleByteText {
  private static let indexes: [Charset: [UInt32]] = Dictionary(
    uniqueKeysWithValues: Charset.singleByteIndexes.map { charset, words in
      (charset, words.split(separator: " ").map { UInt32($0, radix: 16) ?? 0xFFFD })
    })

  static func utf8(from source: [UInt8], _ charset: Charset) -> [UInt8] {
    switch charset {
    case .userDefined: return utf8(from: source, (0xF780...0xF7FF).map { $0 })
    case .iso8859x8Logical: return utf8(from: source, indexes[.iso8859x8] ?? [])
    default: return utf8(from: source, indexes[charset] ?? [])
    }
  }

  private static func utf8(from source: [UInt8], _ index: [UInt32]) -> [UInt8] {
    var text = UTF8Text(expecting: source.count)
    var position = 0
    while position < source.count {
      text.appendASCII(of: source, from: &position)
      while position < source.count, source[position] >= 0x80 {
        let number = Int(source[position] & 0x7F)
        text.append(number < index.count ? index[number] : 0xFFFD)
        position += 1
      }
    }
    return text.bytes
  }
}
