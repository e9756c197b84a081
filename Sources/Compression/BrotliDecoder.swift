internal import CCompression

/// Decodes one brotli stream (RFC 7932) piece by piece.
///
/// The library decodes as much as its window holds, up to 16 MiB, before a byte of it can be had.
@safe public struct BrotliDecoder: StreamDecoder, ~Copyable {
  private let state: OpaquePointer

  /// - Parameter largestPiece: The most memory, in bytes, that the decoder may ask for at once. Its window is such a piece,
  ///   rounded up to a power of two, and no larger than what is decoded needs.
  public init(largestPiece: Int) throws(CompressionError) {
    guard let state = unsafe halyard_brotli_open(largestPiece) else { throw .outOfMemory }
    unsafe self.state = unsafe state
  }

  deinit {
    unsafe BrotliDecoderDestroyInstance(state)
  }

  public mutating func decode(
    _ input: Span<UInt8>, into output: inout [UInt8], limit: Int
  ) throws(CompressionError) -> (consumed: Int, finished: Bool) {
    var left = input.count
    var result = BROTLI_DECODER_RESULT_ERROR
    output.append(addingCapacity: limit) { span in
      unsafe span.withUnsafeMutableBufferPointer { buffer, count in
        unsafe input.withUnsafeBufferPointer { bytes in
          var next = bytes.baseAddress
          var room = buffer.count
          var place = buffer.baseAddress
          result = unsafe BrotliDecoderDecompressStream(state, &left, &next, &room, &place, nil)
          count = buffer.count - room
        }
      }
    }
    if result == BROTLI_DECODER_RESULT_ERROR { throw error }
    return (consumed: input.count - left, finished: result == BROTLI_DECODER_RESULT_SUCCESS)
  }

  private var error: CompressionError {
    let code = unsafe BrotliDecoderGetErrorCode(state)
    let lackOfMemory =
      BROTLI_DECODER_ERROR_ALLOC_BLOCK_TYPE_TREES.rawValue...BROTLI_DECODER_ERROR_ALLOC_CONTEXT_MODES.rawValue
    if lackOfMemory.contains(code.rawValue) { return .outOfMemory }
    return unsafe .corrupt(String(cString: BrotliDecoderErrorString(code)))
  }
}

/// The libbrotlidec that this process runs with.
public enum BrotliLibrary {
  public static var version: String {
    // Eight bits, and twice twelve.
    let number = BrotliDecoderVersion()
    return "\(number >> 24).\(number >> 12 & 0xFFF).\(number & 0xFFF)"
  }
}
