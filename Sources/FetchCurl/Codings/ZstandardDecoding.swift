internal import Zstandard

/// `zstd` of one frame or more; what follows the last one is ignored.
final class ZstandardDecoding: Decoding {
  private var decoder: ZstandardDecoder
  private var isBetweenFrames = false
  private var isOver = false

  init() throws(CodingFault) {
    do { decoder = try ZstandardDecoder() } catch { throw .broken }
  }

  var isFinished: Bool { isBetweenFrames || isOver }

  func decode(_ input: Span<UInt8>, into output: inout [UInt8], limit: Int) throws(CodingFault) -> Int {
    guard !isOver else { return input.count }
    do {
      let progress = try decoder.decode(input, into: &output, limit: limit)
      if progress.finished || !output.isEmpty { isBetweenFrames = progress.finished }
      return progress.consumed
    } catch {
      guard isBetweenFrames, output.isEmpty else { throw .broken }
      isOver = true
      return input.count
    }
  }
}
