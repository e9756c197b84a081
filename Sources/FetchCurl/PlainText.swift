/// Tells text from encoded bytes, as the MIME Sniffing standard tells text from binary data.
enum PlainText {
  /// As many bytes as browsers look at.
  private static let sample = 1_445

  /// Whether the bytes hold no control character that text never has.
  static func fits(_ bytes: [UInt8]) -> Bool {
    bytes.prefix(sample).allSatisfy { byte in
      switch byte {
      case 0x00...0x08, 0x0B, 0x0E...0x1A, 0x1C...0x1F: false
      default: true
      }
    }
  }
}
