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
