/// The text strings of PDF: UTF-16 or UTF-8 with a mark in front, else PDFDocEncoding.
enum PDFText {
  static func decode(_ bytes: [UInt8]) -> String {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return String(decoding: bytes.dropFirst(3), as: UTF8.self) }
    if bytes.starts(with: [0xFE, 0xFF]) { return wide(bytes.dropFirst(2)) { UInt16($0) << 8 | UInt16($1) } }
    if bytes.starts(with: [0xFF, 0xFE]) { return wide(bytes.dropFirst(2)) { UInt16($1) << 8 | UInt16($0) } }
    var scalars = String.UnicodeScalarView()
    for byte in bytes { scalars.append(scalar(of: byte)) }
    return String(scalars)
  }

  /// Escapes that name the language of what follows are left out.
  private static func wide(_ bytes: ArraySlice<UInt8>, _ join: (UInt8, UInt8) -> UInt16) -> String {
    let bytes = Array(bytes)
    var units: [UInt16] = []
    var isEscaped = false
    for index in stride(from: 0, to: bytes.count - 1, by: 2) {
      let unit = join(bytes[index], bytes[index + 1])
      if unit == 0x1B { isEscaped.toggle() } else if !isEscaped { units.append(unit) }
    }
    return String(decoding: units, as: UTF16.self)
  }

  private static func scalar(of byte: UInt8) -> Unicode.Scalar {
    switch byte {
    case 0x18...0x1F: accents[Int(byte - 0x18)]
    case 0x80...0xA0: signs[Int(byte - 0x80)]
    case 0x7F, 0xAD: "\u{FFFD}"
    default: Unicode.Scalar(byte)
    }
  }

  private static let accents: [Unicode.Scalar] = ["˘", "ˇ", "ˆ", "˙", "˝", "˛", "˚", "˜"]
  private static let signs: [Unicode.Scalar] = [
    "•", "†", "‡", "…", "—", "–", "ƒ", "⁄", "‹", "›", "−", "‰", "„", "“", "”", "‘", "’", "‚", "™", "ﬁ", "ﬂ",
    "Ł", "Œ",
    "Š", "Ÿ", "Ž", "ı", "ł", "œ", "š", "ž", "\u{FFFD}", "€",
  ]
}
