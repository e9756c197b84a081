/// Decodes gzip (RFC 1952): members, one after another.
public struct GzipDecoder: StreamDecoder, ~Copyable {
  private var header = GzipHeader()
  private var inflater: Inflater

  public init() throws(CompressionError) {
    inflater = try Inflater(.gzipTrailer)
  }

  public mutating func decode(
    _ input: Span<UInt8>, into output: inout [UInt8], limit: Int
  ) throws(CompressionError) -> (consumed: Int, finished: Bool) {
    let headed = header.isComplete ? 0 : try header.take(input)
    guard header.isComplete else { return (consumed: headed, finished: false) }
    let rest = input.extracting(headed..<input.count)
    let progress = try inflater.decode(rest, into: &output, limit: limit)
    if progress.finished {
      header = GzipHeader()
      inflater.reset(.gzipTrailer)
    }
    return (consumed: headed + progress.consumed, finished: progress.finished)
  }
}
