/// Decodes compressed data piece by piece.
public protocol StreamDecoder: ~Copyable {
  /// Decodes `input` and appends at most `limit` bytes to `output`.
  ///
  /// With room left in `output`, more input is needed. After an error the decoder is of no further use.
  ///
  /// - Returns: How many bytes of the input are used up, and whether a stream is complete, with the right checksum.
  mutating func decode(
    _ input: Span<UInt8>, into output: inout [UInt8], limit: Int
  ) throws(CompressionError) -> (consumed: Int, finished: Bool)
}
