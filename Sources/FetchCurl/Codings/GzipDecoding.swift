internal import Zlib

/// `gzip` of one member or more; what follows the last one is ignored.
final class GzipDecoding: Decoding {
  private var inflater: Inflater
  private var hasMember = false
  private var isBetweenMembers = false
  private var isOver = false

  init() throws(CodingFault) {
    inflater = try opened(.gzip)
  }

  var isFinished: Bool { isBetweenMembers || isOver }

  func decode(_ input: Span<UInt8>, into output: inout [UInt8], limit: Int) throws(CodingFault) -> Int {
    guard !isOver else { return input.count }
    do {
      let progress = try inflater.inflate(input, into: &output, limit: limit)
      if progress.finished { inflater.reset() }
      if progress.finished || !output.isEmpty { isBetweenMembers = progress.finished }
      return progress.consumed
    } catch {
      guard isBetweenMembers, output.isEmpty else { throw .broken }
      isOver = true
      return input.count
    }
  }
}

func opened(_ format: Inflater.Format) throws(CodingFault) -> Inflater {
  do { return try Inflater(format) } catch { throw .broken }
}
