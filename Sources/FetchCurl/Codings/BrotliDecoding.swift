internal import Brotli

/// `br`; what follows its end is ignored.
final class BrotliDecoding: Decoding {
  private var decoder: BrotliDecoder
  private(set) var isFinished = false

  init(largestPiece: Int) throws(CodingFault) {
    do { decoder = try BrotliDecoder(largestPiece: largestPiece) } catch { throw .wantsMemory }
  }

  func decode(_ input: Span<UInt8>, into output: inout [UInt8], limit: Int) throws(CodingFault) -> Int {
    guard !isFinished else { return input.count }
    do {
      let progress = try decoder.decode(input, into: &output, limit: limit)
      isFinished = progress.finished
      return progress.consumed
    } catch {
      switch error {
      case .corrupt: throw .broken
      case .tooLittleMemory: throw .wantsMemory
      }
    }
  }
}
