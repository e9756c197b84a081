/// Which bytes of a value stand in an address as they are (RFC 6570, 1.5 and 3.2.1).
enum TemplateEncoding {
  static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): true
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
    default: false
    }
  }

  static func isReserved(_ byte: UInt8) -> Bool { reserved.contains(byte) }

  private static func isHexDigit(_ byte: UInt8) -> Bool { Character(Unicode.Scalar(byte)).isHexDigit }

  /// Appends `text` as UTF-8, every byte as `%XX` that may not stand for itself.
  ///
  /// - Parameter keepingReserved: Whether reserved characters, and what is encoded already, stay as they are.
  static func append(_ text: String, keepingReserved: Bool, to output: inout [UInt8]) {
    let bytes = Array(text.utf8)
    for (index, byte) in bytes.enumerated() {
      let stays = isUnreserved(byte) || keepingReserved && (isReserved(byte) || isTriplet(bytes, at: index))
      if stays { output.append(byte) } else { appendEncoded(byte, to: &output) }
    }
  }

  static func isTriplet(_ bytes: [UInt8], at index: Int) -> Bool {
    bytes[index] == UInt8(ascii: "%") && index + 2 < bytes.count && isHexDigit(bytes[index + 1])
      && isHexDigit(bytes[index + 2])
  }

  static func appendEncoded(_ byte: UInt8, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "%"))
    output.append(hexDigits[Int(byte >> 4)])
    output.append(hexDigits[Int(byte & 15)])
  }

  private static let hexDigits = Array("0123456789ABCDEF".utf8)
  private static let reserved = Set(":/?#[]@!$&'()*+,;=".utf8)
}
