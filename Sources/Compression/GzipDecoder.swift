internal import CCompression

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

/// What stands before the deflated data of a gzip member (RFC 1952), read as it comes in; nothing of it is kept. ISA-L's own
/// reader refuses a right checksum of a header that comes in pieces.
struct GzipHeader {
  private enum Part: Comparable {
    case start, extraLength, extra, name, comment, checksum, end
  }

  private var part = Part.start
  /// Bytes of this part that have come.
  private var count = 0
  /// The last two bytes, as a number.
  private var number: UInt16 = 0
  private var extraCount = 0
  private var flags: UInt8 = 0
  private var checksum: UInt32 = 0

  var isComplete: Bool { part == .end }

  /// - Returns: How many of the bytes belong to the header.
  mutating func take(_ bytes: Span<UInt8>) throws(CompressionError) -> Int {
    var position = 0
    while position < bytes.count, part < .checksum {
      try take(bytes[position])
      position += 1
    }
    checksum = crc32(bytes.extracting(0..<position), after: checksum)
    while position < bytes.count, !isComplete {
      try take(bytes[position])
      position += 1
    }
    return position
  }

  private mutating func take(_ byte: UInt8) throws(CompressionError) {
    number = number >> 8 | UInt16(byte) << 8
    count += 1
    switch part {
    case .start: try checkStart()
    case .extraLength where count == 2:
      extraCount = Int(number)
      begin(extraCount == 0 ? .name : .extra)
    case .extra where count == extraCount: begin(.name)
    case .name where byte == 0: begin(.comment)
    case .comment where byte == 0: begin(.checksum)
    case .checksum where count == 2:
      guard number == UInt16(truncatingIfNeeded: checksum) else { throw .corrupt("header crc mismatch") }
      begin(.end)
    case .extraLength, .extra, .name, .comment, .checksum, .end: break
    }
  }

  private mutating func checkStart() throws(CompressionError) {
    switch count {
    case 2:
      guard number == 0x8B1F else { throw .corrupt("incorrect header check") }
    case 4:
      guard number & 0xFF == 8 else { throw .corrupt("unknown compression method") }
      flags = UInt8(number >> 8)
      guard flags & 0xE0 == 0 else { throw .corrupt("unknown header flags set") }
    // Time, level and system follow.
    case 10: begin(.extraLength)
    default: break
    }
  }

  /// Begins a part, or the next one that the flags say is there.
  private mutating func begin(_ next: Part) {
    (part, count) = (next, 0)
    switch part {
    case .extraLength where flags & 4 == 0: begin(.name)
    case .name where flags & 8 == 0: begin(.comment)
    case .comment where flags & 16 == 0: begin(.checksum)
    case .checksum where flags & 2 == 0: begin(.end)
    case .start, .extraLength, .extra, .name, .comment, .checksum, .end: break
    }
  }
}

/// Inflates one stream of deflated data (RFC 1951) with Intel's ISA-L, which has assembly for it; it takes 87 KiB.
@safe struct Inflater: ~Copyable {
  /// What stands around the deflated data.
  struct Wrapper {
    fileprivate let flag: UInt32

    /// RFC 1952 without its header: a checksum and a length at the end.
    static var gzipTrailer: Wrapper { Wrapper(flag: UInt32(ISAL_GZIP_NO_HDR_VER)) }
    /// RFC 1950: a short header, and a checksum at the end.
    static var zlib: Wrapper { Wrapper(flag: UInt32(ISAL_ZLIB)) }
    static var nothing: Wrapper { Wrapper(flag: UInt32(ISAL_DEFLATE)) }
  }

  // It is too large to be moved about.
  private let state: UnsafeMutableRawPointer

  init(_ wrapper: Wrapper) throws(CompressionError) {
    guard let state = unsafe halyard_inflate_open(wrapper.flag) else { throw .outOfMemory }
    unsafe self.state = unsafe state
  }

  deinit {
    unsafe free(state)
  }

  /// Starts over, with the next stream.
  mutating func reset(_ wrapper: Wrapper) {
    unsafe halyard_inflate_reset(state, wrapper.flag)
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

/// The checksum of gzip and PNG.
///
/// - Parameter start: That of the bytes before these.
public func crc32(_ bytes: Span<UInt8>, after start: UInt32 = 0) -> UInt32 {
  unsafe bytes.withUnsafeBufferPointer {
    unsafe crc32_gzip_refl(start, $0.baseAddress, UInt64($0.count))
  }
}

/// The Castagnoli checksum.
public enum CRC32C {
  public static func of(_ bytes: Span<UInt8>) -> UInt32 {
    finished(update(initial, bytes))
  }

  /// The state before the first byte.
  public static var initial: UInt32 { ~0 }

  public static func finished(_ state: UInt32) -> UInt32 { ~state }

  public static func update(_ state: UInt32, _ bytes: Span<UInt8>) -> UInt32 {
    let piece = bytes.extracting(first: Int(Int32.max))
    let next = unsafe piece.withUnsafeBufferPointer {
      // Never written through; the pointer is mutable for want of const only.
      unsafe crc32_iscsi(UnsafeMutablePointer(mutating: $0.baseAddress), Int32($0.count), state)
    }
    return piece.count == bytes.count ? next : update(next, bytes.extracting(piece.count..<bytes.count))
  }
}
