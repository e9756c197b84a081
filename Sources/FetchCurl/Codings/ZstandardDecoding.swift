internal import Zstandard

/// `zstd` of one frame or more; what follows the last one is ignored.
final class ZstandardDecoding: Decoding {
  /// RFC 9659: the largest that a server may use on the web.
  static let windowBits: Int32 = 23

  private var decoder: ZstandardDecoder
  private var parts = CodedParts(startingWith: ZstandardDecoding.starts)

  /// Of frames, and of those that are to be skipped.
  private static let starts: [[UInt8]] =
    [[0x28, 0xB5, 0x2F, 0xFD]] + (0x50...0x5F).map { [$0, 0x2A, 0x4D, 0x18] }

  init() throws(CodingFault) {
    do { decoder = try ZstandardDecoder(windowBits: Self.windowBits) } catch { throw .broken }
  }

  var isFinished: Bool { parts.isFinished }

  func decode(_ input: Span<UInt8>, into output: inout [UInt8], limit: Int) throws(CodingFault) -> Int {
    guard !parts.isOver else { return input.count }
    parts.take(input)
    do {
      let progress = try decoder.decode(input, into: &output, limit: limit)
      if progress.finished { parts.ended() }
      return progress.consumed
    } catch {
      if error == .windowTooLarge { throw .windowTooLarge }
      try parts.failed()
      return input.count
    }
  }
}
