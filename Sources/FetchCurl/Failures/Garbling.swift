internal import HTTPMessages
internal import Posix

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
    !PlainText.fits(bytes) && FileSignature.type(of: bytes.span.extracting(first: 512)) == nil
      && !others.contains { bytes.starts(with: $0) } && !bytes.dropFirst(4).starts(with: "ftyp".utf8)
  }

  /// Files of more kinds than browsers know begin so: Matroska's and RAR's.
  private static let others: [[UInt8]] = [[0x1A, 0x45, 0xDF, 0xA3], Array("Rar!\u{1A}\u{7}".utf8)]
}
