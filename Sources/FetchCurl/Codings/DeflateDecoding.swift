internal import Posix
internal import Zlib

/// `deflate`, with the header that it should have or without it; what follows its end is ignored.
final class DeflateDecoding: Decoding {
  private var inflater: Inflater
  /// The first bytes, as long as they are too few to tell whether they are a header.
  private var start: [UInt8]? = []
  private(set) var isFinished = false

  init() throws(CodingFault) {
    inflater = try opened(.zlib)
  }

  func decode(_ input: Span<UInt8>, into output: inout [UInt8], limit: Int) throws(CodingFault) -> Int {
    guard !isFinished else { return input.count }
    guard var start else { return try inflate(input, into: &output, limit: limit) }
    let held = start.count
    start.append(copying: input)
    guard start.count >= 2 else {
      self.start = start
      return input.count
    }
    self.start = nil
    if !Self.isHeader(start[0], start[1]) { inflater = try opened(.raw) }
    return try inflate(start.span, into: &output, limit: limit) - held
  }

  private func inflate(
    _ input: Span<UInt8>, into output: inout [UInt8], limit: Int
  ) throws(CodingFault) -> Int {
    do {
      let progress = try inflater.inflate(input, into: &output, limit: limit)
      isFinished = progress.finished
      return progress.consumed
    } catch {
      throw .broken
    }
  }

  /// Of a zlib stream (RFC 1950).
  private static func isHeader(_ first: UInt8, _ second: UInt8) -> Bool {
    first & 0x0F == 8 && (Int(first) << 8 | Int(second)) % 31 == 0
  }
}
