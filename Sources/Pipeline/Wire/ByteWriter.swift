/// Appends fields to bytes, or only counts what they take.
struct ByteWriter {
  enum Form {
    case bytes
    case count
  }

  private let form: Form
  private(set) var bytes: [UInt8] = []
  private var counted = 0
  /// A part of it is larger than any reader takes.
  private(set) var refusal: FrameTooLarge?

  private static let mostAtFirst = 512

  init(_ form: Form = .bytes) {
    self.form = form
    if form == .bytes { bytes.reserveCapacity(Self.mostAtFirst) }
  }

  var count: Int { counted + bytes.count }

  /// All bytes of it, little-endian.
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

  /// Seven bits a byte.
  mutating func number(_ value: UInt64) {
    guard form == .bytes else {
      counted += Self.size(of: value)
      return
    }
    var rest = value
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  private static func size(of number: UInt64) -> Int { max(1, (70 - number.leadingZeroBitCount) / 7) }

  mutating func raw(_ value: [UInt8]) {
    guard form == .bytes else {
      counted += value.count
      return
    }
    bytes += value
  }

  mutating func text(_ value: String) {
    guard form == .bytes else {
      counted += value.utf8.count
      return
    }
    bytes += value.utf8
  }

  mutating func overwrite<Value: FixedWidthInteger>(at offset: Int, with value: Value) {
    for byte in 0..<Value.bitWidth / 8 {
      bytes[offset + byte] = UInt8(truncatingIfNeeded: value >> Value(8 * byte))
    }
  }
}

extension ByteWriter: Coder {
  static let isReading = false

  mutating func field<Value: FieldValue>(_ number: UInt8, _ value: inout Value?, isCritical: Bool) {
    if let value { put(number, value, isCritical) }
  }

  mutating func field<Value: FieldValue>(_ number: UInt8, _ values: inout [Value], isCritical: Bool) {
    for value in values { put(number, value, isCritical) }
  }

  mutating func takes(_ fields: inout [UInt8]?) -> Bool {
    guard let fields else { return false }
    raw(fields)
    return true
  }

  mutating func require(_ isSound: Bool, _ what: String) {}

  mutating func bound(_ bytes: Int, to limit: Int, _ fits: Bool) {
    if !fits { refusal = FrameTooLarge(bytes: bytes, limit: limit) }
  }

  private mutating func put<Value: FieldValue>(_ number: UInt8, _ value: Value, _ isCritical: Bool) {
    integer(FieldKey(number, Value.form, isCritical: isCritical).byte)
    switch (Value.form, value.byteCount) {
    case (.number, _): value.write(to: &self)
    case (.block, let count?):
      self.number(UInt64(count))
      value.write(to: &self)
    case (.block, nil): putBlock { value.write(to: &$0) }
    }
  }

  /// Most blocks are so short that their length takes one byte; before a longer one room is made.
  private mutating func putBlock(_ fill: (inout ByteWriter) -> Void) {
    let start = count
    if form == .bytes { bytes.append(0) }
    fill(&self)
    guard form == .bytes else {
      counted += Self.size(of: UInt64(count - start))
      return
    }
    let length = bytes.count - start - 1
    guard length > 0x7F else {
      bytes[start] = UInt8(length)
      return
    }
    var number = ByteWriter()
    number.number(UInt64(length))
    bytes.replaceSubrange(start...start, with: number.bytes)
  }
}

/// Which field follows, and in which form.
struct FieldKey {
  let byte: UInt8

  private static let criticalBit: UInt8 = 0x80
  private static let formBit: UInt8 = 0x40

  init(_ number: UInt8, _ form: FieldForm, isCritical: Bool) {
    byte = number & 0x3F | form.rawValue &<< 6 | (isCritical ? Self.criticalBit : 0)
  }

  init(_ byte: UInt8) {
    self.byte = byte
  }

  var number: UInt8 { byte & 0x3F }
  var form: FieldForm { byte & Self.formBit == 0 ? .number : .block }
  var isCritical: Bool { byte & Self.criticalBit != 0 }
}

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
