internal import CCompression

/// Inflates one stream of deflated data (RFC 1951) with Intel's ISA-L, which has assembly for it; it takes 87 KiB.
@safe struct Inflater: ~Copyable {
  /// What stands around the deflated data.
  enum Wrapper: Sendable {
    /// RFC 1952 without its header: a checksum and a length at the end.
    case gzipTrailer
    /// RFC 1950: a short header, and a checksum at the end.
    case zlib
    case nothing

    fileprivate var flag: Int32 {
      switch self {
      case .gzipTrailer: ISAL_GZIP_NO_HDR_VER
      case .zlib: ISAL_ZLIB
      case .nothing: ISAL_DEFLATE
      }
    }
  }

  // It is too large to be moved about.
  private let state: UnsafeMutableRawPointer

  init(_ wrapper: Wrapper) throws(CompressionError) {
    guard let state = unsafe halyard_inflate_open(UInt32(wrapper.flag)) else { throw .outOfMemory }
    unsafe self.state = unsafe state
  }

  deinit {
    unsafe free(state)
  }

  /// Starts over, with the next stream.
  mutating func reset(_ wrapper: Wrapper) {
    unsafe halyard_inflate_reset(state, UInt32(wrapper.flag))
  }

  /// As a `StreamDecoder` does. What follows deflated data without a gzip trailer may be used up with its last bytes.
  mutating func decode(
    _ input: Span<UInt8>, into output: inout [UInt8], limit: Int
  ) throws(CompressionError) -> (consumed: Int, finished: Bool) {
    // ISA-L counts in 32 bits, and takes the top one for a sign here and there. What is left comes with the next call.
    let offer = input.extracting(first: Int(Int32.max))
    var progress = halyard_inflate_progress()
    output.append(addingCapacity: min(limit, Int(Int32.max))) { span in
      unsafe span.withUnsafeMutableBufferPointer { buffer, count in
        unsafe offer.withUnsafeBufferPointer { bytes in
          progress = unsafe halyard_inflate(
            state, bytes.baseAddress, UInt32(bytes.count), buffer.baseAddress, UInt32(buffer.count))
          count = progress.produced
        }
      }
    }
    guard progress.status == ISAL_DECOMP_OK else { throw .corrupt(Self.words(for: progress.status)) }
    return (consumed: progress.consumed, finished: progress.finished)
  }

  private static func words(for status: Int32) -> String {
    switch status {
    case ISAL_INVALID_BLOCK: "invalid block"
    case ISAL_INVALID_SYMBOL: "invalid code"
    case ISAL_INVALID_LOOKBACK: "invalid distance too far back"
    case ISAL_UNSUPPORTED_METHOD: "unknown compression method"
    case ISAL_INCORRECT_CHECKSUM: "incorrect data check"
    default: "ISA-L error \(status)"
    }
  }
}

/// The ISA-L that this program was built with: the library does not tell which one it is at run time.
public enum InflaterLibrary {
  public static var version: String { "\(ISAL_MAJOR_VERSION).\(ISAL_MINOR_VERSION).\(ISAL_PATCH_VERSION)" }
}
