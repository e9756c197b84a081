/// The encodings of the WHATWG Encoding standard; raw values are its names in lower case.
public enum Charset: String, CaseIterable, Sendable {
  case utf8 = "utf-8"
  case ibm866
  case iso8859x2 = "iso-8859-2"
  case iso8859x3 = "iso-8859-3"
  case iso8859x4 = "iso-8859-4"
  case iso8859x5 = "iso-8859-5"
  case iso8859x6 = "iso-8859-6"
  case iso8859x7 = "iso-8859-7"
  case iso8859x8 = "iso-8859-8"
  case iso8859x8Logical = "iso-8859-8-i"
  case iso8859x10 = "iso-8859-10"
  case iso8859x13 = "iso-8859-13"
  case iso8859x14 = "iso-8859-14"
  case iso8859x15 = "iso-8859-15"
  case iso8859x16 = "iso-8859-16"
  case koi8R = "koi8-r"
  case koi8U = "koi8-u"
  case macintosh
  case windows874 = "windows-874"
  case windows1250 = "windows-1250"
  case windows1251 = "windows-1251"
  case windows1252 = "windows-1252"
  case windows1253 = "windows-1253"
  case windows1254 = "windows-1254"
  case windows1255 = "windows-1255"
  case windows1256 = "windows-1256"
  case windows1257 = "windows-1257"
  case windows1258 = "windows-1258"
  case macCyrillic = "x-mac-cyrillic"
  case gbk
  case gb18030
  case big5
  case eucJP = "euc-jp"
  case iso2022JP = "iso-2022-jp"
  case shiftJIS = "shift_jis"
  case eucKR = "euc-kr"
  /// Encodings that browsers refuse to decode, because they hide markup from filters.
  case replacement
  case utf16BE = "utf-16be"
  case utf16LE = "utf-16le"
  case userDefined = "x-user-defined"

  /// The encoding a label means, in any case and with white space around it; nil for an unknown one.
  public init?(label: String) {
    let bytes = Array(label.utf8)
    guard let charset = Charset.labelled(bytes.span, bytes.indices) else { return nil }
    self = charset
  }

  /// The encoding that the label in a range means.
  static func labelled(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Charset? {
    labelTable[bytes, bytes.trimmed(range)]
  }

  /// What a declaration inside the page means: one that could be read is not UTF-16.
  var insideMarkup: Charset {
    switch self {
    case .utf16BE, .utf16LE: .utf8
    case .userDefined: .windows1252
    default: self
    }
  }
}
