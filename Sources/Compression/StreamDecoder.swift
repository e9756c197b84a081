internal import CCompression

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

/// Why compressed data could not be decoded.
public enum CompressionError: Error, Hashable, Sendable {
  /// The data breaks its format; the text says how.
  case corrupt(String)
  /// The data asks for a larger window than is allowed.
  case windowTooLarge
  /// The data needs a larger piece of memory than is allowed, or than there is.
  case outOfMemory
}

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

/// Decodes Zstandard frames (RFC 8878), one after another, piece by piece.
@safe public struct ZstandardDecoder: StreamDecoder, ~Copyable {
  private let context: OpaquePointer

  /// - Parameter windowBits: The largest window that a frame may ask for, as a power of two.
  public init(windowBits: Int32) throws(CompressionError) {
    guard let context = unsafe ZSTD_createDCtx() else { throw .outOfMemory }
    let result = unsafe ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, windowBits)
    guard ZSTD_isError(result) == 0 else {
      unsafe ZSTD_freeDCtx(context)
      throw CompressionError(result)
    }
    unsafe self.context = unsafe context
  }

  deinit {
    unsafe ZSTD_freeDCtx(context)
  }

  public mutating func decode(
    _ input: Span<UInt8>, into output: inout [UInt8], limit: Int
  ) throws(CompressionError) -> (consumed: Int, finished: Bool) {
    var consumed = 0
    var result = 0
    output.append(addingCapacity: limit) { span in
      unsafe span.withUnsafeMutableBufferPointer { buffer, count in
        unsafe input.withUnsafeBufferPointer { bytes in
          var source = unsafe ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
          var target = unsafe ZSTD_outBuffer(dst: buffer.baseAddress, size: buffer.count, pos: 0)
          result = unsafe ZSTD_decompressStream(context, &target, &source)
          (consumed, count) = unsafe (source.pos, target.pos)
        }
      }
    }
    guard ZSTD_isError(result) == 0 else { throw CompressionError(result) }
    return (consumed: consumed, finished: result == 0)
  }
}

extension CompressionError {
  fileprivate init(_ result: Int) {
    switch ZSTD_getErrorCode(result) {
    case ZSTD_error_memory_allocation: self = .outOfMemory
    case ZSTD_error_frameParameter_windowTooLarge: self = .windowTooLarge
    default: self = unsafe .corrupt(String(cString: ZSTD_getErrorName(result)))
    }
  }
}

/// The versions of the libraries.
public enum CompressionLibraries {
  /// The ISA-L that this program was built with: the library does not tell which one it is at run time.
  public static var isal: String { "\(ISAL_MAJOR_VERSION).\(ISAL_MINOR_VERSION).\(ISAL_PATCH_VERSION)" }

  /// The libbrotlidec that this process runs with.
  public static var brotli: String {
    // Eight bits, and twice twelve.
    let number = BrotliDecoderVersion()
    return "\(number >> 24).\(number >> 12 & 0xFFF).\(number & 0xFFF)"
  }

  /// The libzstd that this process runs with.
  public static var zstandard: String { unsafe String(cString: ZSTD_versionString()) }
}
