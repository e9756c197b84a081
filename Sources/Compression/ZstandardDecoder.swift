internal import CCompression

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

/// The libzstd that this process runs with.
public enum ZstandardLibrary {
  public static var version: String { unsafe String(cString: ZSTD_versionString()) }
}
