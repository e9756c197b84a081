internal import Zlib

/// `gzip` of one member or more; what follows the last one is ignored.
final class GzipDecoding: Decoding {
  private var inflater: Inflater
  /// What follows a member that is complete; nil in the middle of one.
  private var next: NextPart?
  private var isOver = false

  init() throws(CodingFault) {
    inflater = try opened(.gzip)
  }

  var isFinished: Bool { next != nil || isOver }

  func decode(_ input: Span<UInt8>, into output: inout [UInt8], limit: Int) throws(CodingFault) -> Int {
    guard !isOver else { return input.count }
    next?.take(input)
    if next?.hasBegun == true { next = nil }
    do {
      let progress = try inflater.inflate(input, into: &output, limit: limit)
      if progress.finished {
        inflater.reset()
        next = NextPart(startingWith: [[0x1F, 0x8B, 0x08]])
      }
      return progress.consumed
    } catch {
      guard next != nil else { throw .broken }
      isOver = true
      return input.count
    }
  }
}

func opened(_ format: Inflater.Format) throws(CodingFault) -> Inflater {
  do { return try Inflater(format) } catch { throw .broken }
}
