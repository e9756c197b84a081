internal import CZlib

/// Inflates one stream of deflated data piece by piece; memory stays at zlib's own window, about 40 KiB.
@safe public struct Inflater: ~Copyable {
  /// What stands around the deflated data.
  public enum Format: Sendable {
    /// RFC 1952: a header, and a checksum and a length at the end.
    case gzip
    /// RFC 1950: a short header, and a checksum at the end.
    case zlib
    /// RFC 1951: nothing.
    case raw

    // 15 is the largest window; the addend names the format to zlib.
    fileprivate var windowBits: CInt {
      switch self {
      case .gzip: 15 + 16
      case .zlib: 15
      case .raw: -15
      }
    }
  }

  // zlib keeps a pointer back to the stream, so it must not move.
  private let stream: UnsafeMutablePointer<z_stream>

  public init(_ format: Format) throws(ZlibError) {
    let fresh = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    unsafe fresh.initialize(to: z_stream())
    guard unsafe halyard_inflate_init(fresh, format.windowBits) == Z_OK else {
      unsafe fresh.deallocate()
      throw .outOfMemory
    }
    unsafe stream = fresh
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Starts over, for the next stream of the same format.
  public mutating func reset() {
    unsafe inflateReset(stream)
  }

  /// Inflates `input` and appends at most `limit` bytes to `output`.
  ///
  /// With room left in `output`, more input is needed.
  ///
  /// - Returns: How many bytes of the input are used up, and whether the stream is complete, with the right checksum.
  public mutating func inflate(
    _ input: Span<UInt8>, into output: inout [UInt8], limit: Int
  ) throws(ZlibError) -> (consumed: Int, finished: Bool) {
    let offer = input.extracting(first: Int(UInt32.max))
    var status = Z_OK
    output.append(addingCapacity: min(limit, Int(UInt32.max))) { span in
      unsafe span.withUnsafeMutableBufferPointer { buffer, count in
        unsafe offer.withUnsafeBufferPointer { bytes in
          // zlib never writes through next_in; the pointer is mutable for want of const only.
          unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
          unsafe stream.pointee.avail_in = UInt32(offer.count)
          unsafe stream.pointee.next_out = buffer.baseAddress
          unsafe stream.pointee.avail_out = UInt32(buffer.count)
          status = unsafe CZlib.inflate(stream, Z_NO_FLUSH)
          count = unsafe buffer.count - Int(stream.pointee.avail_out)
        }
      }
    }
    let consumed = unsafe offer.count - Int(stream.pointee.avail_in)
    unsafe stream.pointee.next_in = nil
    unsafe stream.pointee.next_out = nil
    switch status {
    case Z_OK, Z_BUF_ERROR: return (consumed: consumed, finished: false)
    case Z_STREAM_END: return (consumed: consumed, finished: true)
    case Z_MEM_ERROR: throw .outOfMemory
    default: throw .corrupt(message(for: status))
    }
  }

  private func message(for status: Int32) -> String {
    if let text = unsafe stream.pointee.msg { return unsafe String(cString: text) }
    return status == Z_NEED_DICT ? "a preset dictionary is needed" : "zlib error \(status)"
  }
}

/// The zlib that this process runs with.
public enum ZlibLibrary {
  public static var version: String { unsafe String(cString: zlibVersion()) }
}
