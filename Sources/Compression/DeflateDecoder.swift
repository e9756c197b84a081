/// Decodes `deflate`, with the header of RFC 1950 that it should have or without it.
public struct DeflateDecoder: StreamDecoder, ~Copyable {
  private var inflater: Inflater
  private var hasStarted = false
  /// The first byte, when it came alone: two tell whether they are a header.
  private var first: UInt8?

  public init() throws(CompressionError) {
    inflater = try Inflater(.zlib)
  }

  /// What follows the stream may be used up with its last bytes.
  public mutating func decode(
    _ input: Span<UInt8>, into output: inout [UInt8], limit: Int
  ) throws(CompressionError) -> (consumed: Int, finished: Bool) {
    guard !hasStarted, !input.isEmpty else { return try inflater.decode(input, into: &output, limit: limit) }
    if let first {
      try start(with: first, input[0])
      // Nothing comes of a single byte.
      _ = try inflater.decode([first].span, into: &output, limit: limit)
    } else if input.count == 1 {
      first = input[0]
      return (consumed: 1, finished: false)
    } else {
      try start(with: input[0], input[1])
    }
    return try inflater.decode(input, into: &output, limit: limit)
  }

  private mutating func start(with first: UInt8, _ second: UInt8) throws(CompressionError) {
    hasStarted = true
    let isHeader = first & 0x0F == 8 && (Int(first) << 8 | Int(second)) % 31 == 0
    // ISA-L forgets that it is needed when its checksum comes in pieces.
    if isHeader, second & 0x20 != 0 { throw .corrupt("a preset dictionary is needed") }
    if !isHeader { inflater.reset(.nothing) }
  }
}
