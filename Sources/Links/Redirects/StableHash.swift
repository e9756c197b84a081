/// A hash that is the same in every process and every version (FNV-1a, 64 bits).
public struct StableHash: Sendable {
  public private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  public init() {}

  /// Adds a text; where it ends counts too.
  public mutating func add(_ text: String) {
    for byte in text.utf8 { add(byte) }
    // No byte of UTF-8.
    add(0xFF as UInt8)
  }

  public mutating func add(_ bytes: [UInt8]) {
    for byte in bytes { add(byte) }
  }

  public mutating func add(_ number: UInt64) {
    for shift in stride(from: 0, to: 64, by: 8) { add(UInt8(truncatingIfNeeded: number >> UInt64(shift))) }
  }

  private mutating func add(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
  }
}
