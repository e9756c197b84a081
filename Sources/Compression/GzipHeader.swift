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
