import Posix

/// Turns bytes of any charset into UTF-8.
public enum TextDecoding {
  /// The text as UTF-8 without its byte order mark; bad bytes become U+FFFD as the Encoding standard says.
  ///
  /// Valid UTF-8 is handed back as it is, without a copy.
  public static func utf8(from bytes: [UInt8], charset: Charset) -> [UInt8] {
    var bytes = bytes
    if let mark = Charset.byteOrderMark(of: bytes.span), mark.charset == charset {
      bytes.removeFirst(mark.length)
    }
    switch charset {
    case .utf8: return repaired(bytes)
    case .replacement: return bytes.isEmpty ? [] : Array("\u{FFFD}".utf8)
    case .utf16BE: return UTF16Text.utf8(from: bytes, isBigEndian: true)
    case .utf16LE: return UTF16Text.utf8(from: bytes, isBigEndian: false)
    case .shiftJIS: return PairText.shiftJIS(bytes)
    case .eucKR: return PairText.eucKR(bytes)
    case .big5: return PairText.big5(bytes)
    case .eucJP: return EUCJPText.utf8(from: bytes)
    case .iso2022JP: return ISO2022JPText.utf8(from: bytes)
    case .gbk, .gb18030: return GB18030Text.utf8(from: bytes)
    case .ibm866, .iso8859x2, .iso8859x3, .iso8859x4, .iso8859x5, .iso8859x6, .iso8859x7, .iso8859x8,
      .iso8859x8Logical, .iso8859x10, .iso8859x13, .iso8859x14, .iso8859x15, .iso8859x16, .koi8R, .koi8U,
      .macintosh, .windows874, .windows1250, .windows1251, .windows1252, .windows1253, .windows1254,
      .windows1255, .windows1256, .windows1257, .windows1258, .macCyrillic, .userDefined:
      return SingleByteText.utf8(from: bytes, charset)
    }
  }

  private static func repaired(_ bytes: [UInt8]) -> [UInt8] {
    if (try? UTF8Span(validating: bytes.span)) != nil { return bytes }
    return Array(String(decoding: bytes, as: UTF8.self).utf8)
  }
}

/// Charsets in which every byte is a character.
enum SingleByteText {
  private static let indexes = Charset.singleByteIndexes.mapValues { words in
    words.split(separator: " ").map { UInt32($0, radix: 16) ?? 0xFFFD }
  }

  static func utf8(from source: [UInt8], _ charset: Charset) -> [UInt8] {
    switch charset {
    case .userDefined: return utf8(from: source, (0xF780...0xF7FF).map { $0 })
    case .iso8859x8Logical: return utf8(from: source, indexes[.iso8859x8] ?? [])
    default: return utf8(from: source, indexes[charset] ?? [])
    }
  }

  private static func utf8(from source: [UInt8], _ index: [UInt32]) -> [UInt8] {
    UTF8Text.decoding(source) { byte, _, text in
      let number = Int(byte & 0x7F)
      text.append(number < index.count ? index[number] : 0xFFFD)
    }
  }
}

/// UTF-16 in either order of bytes.
enum UTF16Text {
  static func utf8(from source: [UInt8], isBigEndian: Bool) -> [UInt8] {
    let units = units(of: source, isBigEndian: isBigEndian)
    var text = String(decoding: units, as: UTF16.self)
    // The first half of a pair at the end is bad already.
    let endsInLead = units.last.map(UTF16.isLeadSurrogate) ?? false
    if source.count % 2 == 1, !endsInLead { text.unicodeScalars.append("\u{FFFD}") }
    return Array(text.utf8)
  }

  /// Without half a unit at the end.
  static func units(of source: [UInt8], isBigEndian: Bool) -> [UInt16] {
    stride(from: 0, to: source.count - 1, by: 2).map { position in
      let (first, second) = (UInt16(source[position]), UInt16(source[position + 1]))
      return isBigEndian ? first << 8 | second : second << 8 | first
    }
  }
}

/// Text on its way to UTF-8.
struct UTF8Text {
  private(set) var bytes: [UInt8] = []

  /// - Parameter source: The size of what is decoded, which is mostly ASCII.
  init(expecting source: Int) {
    bytes.reserveCapacity(source + source / 4)
  }

  /// Copies what is ASCII, and has each other byte read.
  ///
  /// - Parameter read: Is given the byte and the position behind it, and moves that behind what belongs to the byte.
  static func decoding(
    _ source: [UInt8], _ read: (_ byte: UInt8, _ position: inout Int, _ text: inout UTF8Text) -> Void
  ) -> [UInt8] {
    var text = UTF8Text(expecting: source.count)
    var position = 0
    while position < source.count {
      let byte = source[position]
      if byte < 0x80 {
        let end = source.span.endOfASCII(from: position)
        text.bytes.append(copying: source.span.extracting(position..<end))
        position = end
      } else {
        position += 1
        read(byte, &position, &text)
      }
    }
    return text.bytes
  }

  /// Appends a code point; an invalid one becomes U+FFFD.
  mutating func append(_ number: UInt32) {
    bytes.append(contentsOf: (Unicode.Scalar(number) ?? "\u{FFFD}").utf8)
  }
}
