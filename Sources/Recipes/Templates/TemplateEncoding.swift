import Links

/// Which bytes of a value stand in an address as they are (RFC 6570, 1.5 and 3.2.1).
enum TemplateEncoding {
  static func isReserved(_ byte: UInt8) -> Bool { reserved.contains(byte) }

  /// Appends `text` as UTF-8, every byte as `%XX` that may not stand for itself.
  ///
  /// - Parameter keepingReserved: Whether reserved characters, and what is encoded already, stay as they are.
  static func append(_ text: String, keepingReserved: Bool, to output: inout [UInt8]) {
    let bytes = Array(text.utf8)
    for (index, byte) in bytes.enumerated() {
      let stays =
        byte.isUnreserved || keepingReserved && (isReserved(byte) || bytes.span.encodedByte(at: index) != nil)
      if stays { output.append(byte) } else { output.appendPercentEncoded(byte) }
    }
  }

  private static let reserved = Set(":/?#[]@!$&'()*+,;=".utf8)
}
