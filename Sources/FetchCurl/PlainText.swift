internal import HTTPMessages

/// Tells text from encoded bytes, as the MIME Sniffing standard tells text from binary data.
enum PlainText {
  /// As many bytes as browsers look at.
  private static let sample = 1_445

  /// Whether the bytes hold no control character that text never has.
  static func fits(_ bytes: [UInt8]) -> Bool {
    bytes.prefix(sample).allSatisfy { !$0.isBinary }
  }
}
