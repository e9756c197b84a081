/// Reads little-endian fields from foreign bytes. It never reads past the end, and never allocates from a length
/// it has not checked.
struct ByteReader {
  private let bytes: ArraySlice<UInt8>
  private var position: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  var remaining: Int { bytes.endIndex - position }
  var isAtEnd: Bool { remaining == 0 }

  mutating func integer<Value: FixedWidthInteger>(
    _ name: FrameError.StaticStringField, as type: Value.Type = Value.self
  ) throws(FrameError) -> Value {
    let size = Value.bitWidth / 8
    guard remaining >= size else { throw .malformed(name) }
    let first = position - bytes.startIndex
    position += size
    let field = bytes.span.extracting(first..<first + size)
    var value: Value = 0
    for byte in field.indices { value |= Value(truncatingIfNeeded: field[byte]) &<< (8 * byte) }
    return value
  }

  mutating func uuid(_ field: FrameError.StaticStringField) throws(FrameError) -> UUIDv7 {
    let high = try integer(field, as: UInt64.self).byteSwapped
    let low = try integer(field, as: UInt64.self).byteSwapped
    return UUIDv7(high: high, low: low)
  }

  mutating func slice(_ count: Int, _ field: FrameError.StaticStringField) throws(FrameError)
    -> ArraySlice<UInt8>
  {
    guard count >= 0, count <= remaining else { throw .malformed(field) }
    defer { position += count }
    return bytes[position..<position + count]
  }

  mutating func rest() -> ArraySlice<UInt8> {
    defer { position = bytes.endIndex }
    return bytes[position...]
  }

  mutating func block(_ field: FrameError.StaticStringField) throws(FrameError) -> ArraySlice<UInt8> {
    let count = try integer(field, as: UInt32.self)
    return try slice(Int(count), field)
  }

  mutating func text(_ field: FrameError.StaticStringField) throws(FrameError) -> String {
    guard let text = String(validating: try block(field), as: UTF8.self) else { throw .malformed(field) }
    return text
  }

  mutating func flag(_ field: FrameError.StaticStringField) throws(FrameError) -> Bool {
    switch try integer(field, as: UInt8.self) {
    case 0: return false
    case 1: return true
    default: throw .malformed(field)
    }
  }

  mutating func optionalText(_ field: FrameError.StaticStringField) throws(FrameError) -> String? {
    try flag(field) ? text(field) : nil
  }

  /// A code, of which 0 is none.
  mutating func optionalCode<Code: RawRepresentable<UInt8>>(
    _ field: FrameError.StaticStringField
  ) throws(FrameError) -> Code? {
    let number = try integer(field, as: UInt8.self)
    guard number != 0 else { return nil }
    guard let code = Code(rawValue: number) else { throw .malformed(field) }
    return code
  }

  /// Milliseconds, of which 0 are none.
  mutating func optionalMoment(_ field: FrameError.StaticStringField) throws(FrameError) -> Moment? {
    let milliseconds = try integer(field, as: Int64.self)
    return milliseconds == 0 ? nil : Moment(unixMilliseconds: milliseconds)
  }

  mutating func tokens(_ field: FrameError.StaticStringField) throws(FrameError) -> [LeaseToken] {
    let count = Int(try integer(field, as: UInt32.self))
    guard count <= remaining / 16 else { throw .malformed(field) }
    var tokens: [LeaseToken] = []
    tokens.reserveCapacity(count)
    for _ in 0..<count { tokens.append(LeaseToken(try integer(field), seal: try integer(field))) }
    return tokens
  }

  mutating func secret() throws(FrameError) -> LaneSecret {
    LaneSecret(high: try integer("secret"), low: try integer("secret"))
  }
}
