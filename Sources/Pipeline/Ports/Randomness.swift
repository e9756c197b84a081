/// The port to chance: ids and jitter. Tests pass a seeded one.
public struct Randomness: Sendable {
  private let source: @Sendable () -> UInt64

  public init(_ source: @escaping @Sendable () -> UInt64) {
    self.source = source
  }

  /// 64 uniform bits.
  public func bits() -> UInt64 { source() }

  /// Uniform in 0..<1.
  public func fraction() -> Double { Double(source() >> 11) / Double(UInt64(1) << 53) }

  /// A fresh id.
  public func uuid(at now: Moment) -> UUIDv7 {
    UUIDv7(at: now, uniqueHigh: UInt16(truncatingIfNeeded: source()), uniqueLow: source())
  }
}
