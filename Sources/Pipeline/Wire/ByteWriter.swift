/// Appends little-endian fields to a frame.
struct ByteWriter {
  private(set) var bytes: [UInt8] = []

  mutating func reserve(_ count: Int) {
    bytes.reserveCapacity(count)
  }

  mutating func integer(_ value: some FixedWidthInteger) {
    var rest = value
    for _ in 0..<(value.bitWidth / 8) {
      bytes.append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }

  mutating func uuid(_ value: UUIDv7) {
    integer(value.high.byteSwapped)
    integer(value.low.byteSwapped)
  }

  mutating func raw(_ value: [UInt8]) {
    bytes.append(contentsOf: value)
  }

  mutating func block(_ value: [UInt8]) {
    integer(UInt32(clamping: value.count))
    bytes.append(contentsOf: value)
  }

  mutating func text(_ value: String) {
    block(Array(value.utf8))
  }

  mutating func optionalText(_ value: String?) {
    integer(UInt8(value == nil ? 0 : 1))
    if let value { text(value) }
  }

  mutating func tokens(_ tokens: [LeaseToken]) {
    integer(UInt32(clamping: tokens.count))
    for token in tokens { integer(token.value) }
  }

  mutating func overwrite(at offset: Int, with value: UInt32) {
    for byte in 0..<4 { bytes[offset + byte] = UInt8(truncatingIfNeeded: value >> UInt32(8 * byte)) }
  }
}
