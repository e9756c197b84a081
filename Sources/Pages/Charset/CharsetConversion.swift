import Iconv

extension Charset {
  /// The C library's name for the table that comes closest to the standard's.
  var iconvName: String {
    switch self {
    case .utf8: "UTF-8"
    case .iso8859x8Logical: "ISO-8859-8"
    case .windows874: "CP874"
    case .windows1250: "CP1250"
    case .windows1251: "CP1251"
    case .windows1252: "CP1252"
    case .windows1253: "CP1253"
    case .windows1254: "CP1254"
    case .windows1255: "CP1255"
    case .windows1256: "CP1256"
    case .windows1257: "CP1257"
    case .windows1258: "CP1258"
    case .macCyrillic: "MAC-UK"
    case .gbk, .gb18030: "GB18030"
    case .big5: "BIG5-HKSCS"
    case .eucJP, .iso2022JP: "EUC-JP-MS"
    case .shiftJIS: "CP932"
    case .eucKR: "CP949"
    // Every byte above ASCII is bad there and so gets its substitute.
    case .userDefined, .replacement: "ASCII"
    case .utf16BE: "UTF-16BE"
    case .utf16LE: "UTF-16LE"
    case .ibm866, .iso8859x2, .iso8859x3, .iso8859x4, .iso8859x5, .iso8859x6, .iso8859x7, .iso8859x8,
      .iso8859x10, .iso8859x13, .iso8859x14, .iso8859x15, .iso8859x16, .koi8R, .koi8U, .macintosh:
      rawValue.uppercased()
    }
  }

  /// What stands for a byte that the C library refuses.
  func substitute(for bad: UInt8, next: UInt8?) -> Iconv.Substitute {
    switch self {
    case .windows874, .windows1250, .windows1251, .windows1252, .windows1253, .windows1254,
      .windows1255, .windows1256, .windows1257, .windows1258:
      // The standard maps the gaps of these tables to the C1 control of the same number.
      return bad < 0xA0 ? Self.character(UInt32(bad)) : Self.unknown
    case .userDefined:
      return Self.character(0xF780 + UInt32(bad & 0x7F))
    case .utf16BE, .utf16LE:
      return Iconv.Substitute(UTF8.replacement, skipping: 2)
    case .gbk, .gb18030:
      return bad == 0x80 ? Self.character(0x20AC) : Self.pair(bad, next)
    case .shiftJIS:
      return bad == 0x80 ? Self.character(0x80) : Self.pair(bad, next)
    case .big5, .eucJP, .eucKR:
      return Self.pair(bad, next)
    default:
      return Self.unknown
    }
  }

  private static let unknown = Iconv.Substitute(UTF8.replacement)

  /// A pair that means nothing is one bad character, but an ASCII byte is never swallowed.
  private static func pair(_ lead: UInt8, _ trail: UInt8?) -> Iconv.Substitute {
    let isLead = lead > 0x80 && lead < 0xFF && lead != 0xA0
    guard isLead, let trail, trail >= 0x80 else { return unknown }
    return Iconv.Substitute(UTF8.replacement, skipping: 2)
  }

  private static func character(_ number: UInt32) -> Iconv.Substitute {
    guard let scalar = Unicode.Scalar(number) else { return unknown }
    return Iconv.Substitute(Array(Character(scalar).utf8))
  }
}
