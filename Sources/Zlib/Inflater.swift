internal import CZlib

/// Inflates one gzip member piece by piece; memory stays at zlib's own window, about 40 KiB.
@safe public struct Inflater: ~Copyable {
  /// What one call of `inflate` did.
  public struct Progress: Hashable, Sendable {
    /// How many bytes behind the start are used up.
    public var consumed: Int
    /// The member is complete and its checksum is right; what follows belongs to somebody else.
    public var finished: Bool
  }

  // zlib keeps a pointer back to the stream, so it must not move.
  private let stream: UnsafeMutablePointer<z_stream>

  /// Expects a gzip header (RFC 1952) first.
  public init() throws(ZlibError) {
    let fresh = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    unsafe fresh.initialize(to: z_stream())
    guard unsafe halyard_inflate_init_gzip(fresh) == Z_OK else {
      unsafe fresh.deallocate()
      throw .outOfMemory
    }
    unsafe stream = fresh
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Starts over, for the next member of the same file.
  public mutating func reset() {
    unsafe inflateReset(stream)
  }

  /// Inflates `input` from byte `start` on and appends at most `limit` bytes to `output`.
  ///
  /// Nothing consumed and nothing appended means that more input is needed.
  public mutating func inflate(
    _ input: [UInt8], from start: Int, into output: inout [UInt8], limit: Int
  ) throws(ZlibError) -> Progress {
    let room = min(max(limit, 0), Int(UInt32.max))
    let offer = input.dropFirst(start).prefix(Int(UInt32.max))
    var status = Z_OK
    let piece = unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
      unsafe offer.withUnsafeBufferPointer { bytes in
        // zlib never writes through next_in; the pointer is mutable for want of const only.
        unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
        unsafe stream.pointee.avail_in = UInt32(offer.count)
        unsafe stream.pointee.next_out = buffer.baseAddress
        unsafe stream.pointee.avail_out = UInt32(room)
        status = unsafe CZlib.inflate(stream, Z_NO_FLUSH)
        count = unsafe room - Int(stream.pointee.avail_out)
      }
    }
    let consumed = unsafe offer.count - Int(stream.pointee.avail_in)
    unsafe stream.pointee.next_in = nil
    unsafe stream.pointee.next_out = nil
    output.append(contentsOf: piece)
    switch status {
    case Z_OK, Z_BUF_ERROR: return Progress(consumed: consumed, finished: false)
    case Z_STREAM_END: return Progress(consumed: consumed, finished: true)
    case Z_MEM_ERROR: throw .outOfMemory
    default: throw .corrupt(message(for: status))
    }
  }

  private func message(for status: Int32) -> String {
    if let text = unsafe stream.pointee.msg { return unsafe String(cString: text) }
    return status == Z_NEED_DICT ? "a preset dictionary is needed" : "zlib error \(status)"
  }
}
