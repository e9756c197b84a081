internal import Zlib

/// `gzip` of one member or more; what follows the last one is ignored.
final class GzipDecoding: Decoding {
  private var inflater: Inflater
  private var parts = CodedParts(startingWith: [[0x1F, 0x8B, 0x08]])

  init() throws(CodingFault) {
    inflater = try opened(.gzip)
  }

  var isFinished: Bool { parts.isFinished }

  func decode(_ input: Span<UInt8>, into output: inout [UInt8], limit: Int) throws(CodingFault) -> Int {
    guard !parts.isOver else { return input.count }
    parts.take(input)
    do {
      let progress = try inflater.inflate(input, into: &output, limit: limit)
      if progress.finished {
        inflater.reset()
        parts.ended()
      }
      return progress.consumed
    } catch {
      try parts.failed()
      return input.count
    }
  }
}

func opened(_ format: Inflater.Format) throws(CodingFault) -> Inflater {
  do { return try Inflater(format) } catch { throw .broken }
}
