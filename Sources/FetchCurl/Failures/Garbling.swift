/// What makes a decoded body doubtful.
struct CodingDoubt: Hashable, Sendable {
  /// One of its codings is unknown here.
  var isUnknown = false
  /// Its headers say that it is text, and coded.
  var isCodedText = false

  /// Whether a body that decoded to these bytes is what its headers say.
  func verdict(on bytes: [UInt8]) -> BodyEnd {
    if isCodedText, bytes.starts(with: Garbling.gzip) { return .codedAgain }
    return isUnknown && Garbling.shows(in: bytes) ? .broken : .whole
  }
}

/// Tells whether bytes with an unknown coding are usable as they are.
enum Garbling {
  static let gzip: [UInt8] = [0x1F, 0x8B, 0x08]

  /// Neither text nor a file of a well-known type: some servers name codings that change nothing.
  static func shows(in bytes: [UInt8]) -> Bool {
    !PlainText.fits(bytes) && !signatures.contains { bytes.starts(with: $0) } && !isContainer(bytes)
  }

  /// How files begin that are no text, by the MIME Sniffing standard.
  private static let signatures: [[UInt8]] =
    [
      "%PDF-", "%!PS-Adobe-", "BM", "GIF87a", "GIF89a", "ID3", "OggS\0", "MThd\0\0\0\u{6}",
      "PK\u{3}\u{4}", "Rar!\u{1A}\u{7}", "wOFF", "wOF2", "OTTO", "ttcf",
    ].map { Array($0.utf8) } + [
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], [0xFF, 0xD8, 0xFF], gzip,
      [0x1A, 0x45, 0xDF, 0xA3], [0, 0, 1, 0], [0, 0, 2, 0], [0, 1, 0, 0],
    ]

  /// Its length or name stands before what tells its type.
  private static func isContainer(_ bytes: [UInt8]) -> Bool {
    let start = bytes.prefix(12)
    if start.dropFirst(4).starts(with: "ftyp".utf8) { return true }
    let types = ["WEBP", "AVI ", "WAVE", "AIFF"]
    return ["RIFF", "FORM"].contains { start.starts(with: $0.utf8) }
      && types.contains { start.dropFirst(8).starts(with: $0.utf8) }
  }
}
