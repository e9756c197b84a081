/// A hash that is the same in every process and every version (FNV-1a, 64 bits).
public struct StableHash: Sendable {
  public private(set) var value: UInt64

  /// - Parameter start: Another one than FNV's own makes a second hash of the same bytes.
  public init(from start: UInt64 = 0xCBF2_9CE4_8422_2325) {
    value = start
  }

  /// Adds a text; where it ends counts too.
  public mutating func add(_ text: String) {
    add(text.utf8)
    // No byte of UTF-8.
    add(0xFF as UInt8)
  }

  public mutating func add(_ bytes: [UInt8]) {
    for byte in bytes { add(byte) }
  }

  fileprivate mutating func add(_ text: String.UTF8View) {
    for byte in text { add(byte) }
  }

  public mutating func add(_ number: UInt64) {
    for shift in stride(from: 0, to: 64, by: 8) { add(UInt8(truncatingIfNeeded: number >> UInt64(shift))) }
  }

  private mutating func add(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
  }
}

extension String {
  /// That of its bytes alone.
  public func stableHash(from start: UInt64 = StableHash().value) -> UInt64 {
    var hash = StableHash(from: start)
    hash.add(utf8)
    return hash.value
  }
}
