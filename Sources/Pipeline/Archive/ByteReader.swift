/// Reads foreign bytes. It never reads past the end, and never allocates from a length that it has not checked.
struct ByteReader {
  /// What is read takes more memory than it has bytes, and of the whole that only so much.
  private static let mostMemory = 16 << 20

  private let bytes: ArraySlice<UInt8>
  private var position: Int
  /// What is left of that.
  var room: Int

  init(_ bytes: ArraySlice<UInt8>, room: Int = Self.mostMemory) {
    self.bytes = bytes
    position = bytes.startIndex
    self.room = room
  }

  /// - Returns: False when there is no room for so many bytes more than there were to read.
  mutating func takes(_ bytes: Int) -> Bool {
    room -= max(0, bytes)
    return room >= 0
  }

  var remaining: Int { bytes.endIndex - position }
  var upcoming: ArraySlice<UInt8> { bytes[position...] }
  var isAtEnd: Bool { remaining == 0 }
  var next: UInt8? { isAtEnd ? nil : bytes[position] }

  mutating func skip() { position = min(position + 1, bytes.endIndex) }

  mutating func integer<Value: FixedWidthInteger>(as type: Value.Type = Value.self) throws(FrameError)
    -> Value
  {
    let size = Value.bitWidth / 8
    guard remaining >= size else { throw .malformed("number") }
    let first = position - bytes.startIndex
    position += size
    let field = bytes.span.extracting(first..<first + size)
    var value: Value = 0
    for byte in field.indices { value |= Value(truncatingIfNeeded: field[byte]) &<< (8 * byte) }
    return value
  }

  /// Of seven bits a byte.
  mutating func number() throws(FrameError) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while let byte = next {
      skip()
      let bits = UInt64(byte & 0x7F)
      guard shift < 63 || shift == 63 && bits <= 1 else { break }
      value |= bits &<< shift
      if byte < 0x80 { return value }
      shift += 7
    }
    throw .malformed("number")
  }

  mutating func block() throws(FrameError) -> ByteReader {
    let count = try number()
    guard count <= UInt64(remaining) else { throw .malformed("length") }
    defer { position += Int(count) }
    return ByteReader(bytes[position..<position + Int(count)], room: room)
  }

  mutating func rest() -> ArraySlice<UInt8> {
    defer { position = bytes.endIndex }
    return bytes[position...]
  }
}
