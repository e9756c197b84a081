/// Appends little-endian fields to a frame, or only counts what they take.
struct ByteWriter {
  enum Form {
    case bytes
    case count
  }

  let form: Form
  private(set) var bytes: [UInt8] = []
  private var counted = 0

  init(_ form: Form = .bytes) {
    self.form = form
  }

  var count: Int { counted + bytes.count }

  mutating func reserve(_ count: Int) {
    if form == .bytes { bytes.reserveCapacity(count) }
  }

  mutating func integer(_ value: some FixedWidthInteger) {
    guard form == .bytes else {
      counted += value.bitWidth / 8
      return
    }
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
    guard form == .bytes else {
      counted += value.count
      return
    }
    bytes.append(contentsOf: value)
  }

  mutating func block(_ value: [UInt8]) {
    integer(UInt32(clamping: value.count))
    raw(value)
  }

  /// What `fill` writes, behind its length.
  mutating func block(_ fill: (inout ByteWriter) -> Void) {
    let start = count
    integer(UInt32(0))
    fill(&self)
    if form == .bytes { overwrite(at: start, with: UInt32(clamping: count - start - 4)) }
  }

  mutating func text(_ value: String) {
    guard form == .bytes else {
      counted += 4 + value.utf8.count
      return
    }
    integer(UInt32(clamping: value.utf8.count))
    bytes += value.utf8
  }

  mutating func optionalText(_ value: String?) {
    integer(UInt8(value == nil ? 0 : 1))
    if let value { text(value) }
  }

  mutating func tokens(_ tokens: [LeaseToken]) {
    integer(UInt32(clamping: tokens.count))
    guard form == .bytes else {
      counted += 16 * tokens.count
      return
    }
    for token in tokens {
      integer(token.value)
      integer(token.seal)
    }
  }

  mutating func secret(_ secret: LaneSecret) {
    integer(secret.high)
    integer(secret.low)
  }

  mutating func overwrite(at offset: Int, with value: UInt32) {
    for byte in 0..<4 { bytes[offset + byte] = UInt8(truncatingIfNeeded: value >> UInt32(8 * byte)) }
  }
}
