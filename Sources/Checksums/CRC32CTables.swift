/// The same on any processor, eight bytes at a time.
package enum CRC32CTables {
  private static let tables: [UInt32] = {
    var tables = [UInt32](repeating: 0, count: 8 * 256)
    for byte in 0..<256 {
      var value = UInt32(byte)
      for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0x82F6_3B78 : value >> 1 }
      tables[byte] = value
    }
    for table in 1..<8 {
      for byte in 0..<256 {
        let previous = tables[(table - 1) * 256 + byte]
        tables[table * 256 + byte] = previous >> 8 ^ tables[Int(previous & 0xFF)]
      }
    }
    return tables
  }()

  package static func update(_ state: UInt32, _ bytes: Span<UInt8>) -> UInt32 {
    let tables = tables
    var state = state
    var index = 0
    while index + 8 <= bytes.count {
      var low = state
      for byte in 0..<4 { low ^= UInt32(bytes[index + byte]) << UInt32(8 * byte) }
      state = 0
      for byte in 0..<4 {
        state ^= tables[(7 - byte) * 256 + Int(low >> UInt32(8 * byte) & 0xFF)]
        state ^= tables[(3 - byte) * 256 + Int(bytes[index + 4 + byte])]
      }
      index += 8
    }
    while index < bytes.count {
      state = state >> 8 ^ tables[Int((state ^ UInt32(bytes[index])) & 0xFF)]
      index += 1
    }
    return state
  }
}
