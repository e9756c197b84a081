internal import Compression

/// A coding of one stream; what follows its end is ignored.
final class StreamDecoding<Decoder: StreamDecoder & ~Copyable>: Decoding {
  private var decoder: Decoder
  private(set) var isFinished = false

  init(_ decoder: consuming Decoder) {
    self.decoder = decoder
  }

  func decode(_ input: Span<UInt8>, into output: inout [UInt8], limit: Int) throws(CodingFault) -> Int {
    guard !isFinished else { return input.count }
    do {
      let progress = try decoder.decode(input, into: &output, limit: limit)
      isFinished = progress.finished
      return progress.consumed
    } catch {
      throw CodingFault(error)
    }
  }
}

/// A coding of one part or more; what follows the last one is ignored.
final class PartsDecoding<Decoder: StreamDecoder & ~Copyable>: Decoding {
  private var decoder: Decoder
  private var parts: CodedParts

  init(_ decoder: consuming Decoder, _ parts: CodedParts) {
    self.decoder = decoder
    self.parts = parts
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
