/// 128 bits that only the two ends of a lane know. Every frame of the lane has them, in both directions, so no other
/// member can speak in the name of either end.
///
/// A worker and the aggregator share the secret that the worker's id is derived from; a client says its own with all that it
/// asks; a fetcher and a decoder share one that follows from the decoder's, which the aggregator tells the fetcher.
public struct LaneSecret: Hashable, Sendable {
  public let high: UInt64
  public let low: UInt64

  /// That of a lane between roles of one process.
  public static let none = LaneSecret(high: 0, low: 0)

  public init(high: UInt64, low: UInt64) {
    (self.high, self.low) = (high, low)
  }

  public init(_ random: Randomness) {
    self.init(high: random.bits(), low: random.bits())
  }

  /// What the owner of this secret and the other worker share. The other cannot tell this secret from it.
  public func shared(with other: WorkerID) -> LaneSecret {
    LaneSecret(
      high: bits(of: [other.uuid.high, other.uuid.low, 1]),
      low: bits(of: [other.uuid.high, other.uuid.low, 2]))
  }

  /// A value that only holders of the secret can compute, and from which the secret cannot be found.
  fileprivate func bits(of words: [UInt64]) -> UInt64 {
    KeyedHash.bits(of: words, keyHigh: high, keyLow: low)
  }
}

extension WorkerID {
  /// The id of the one worker that knows the secret.
  public init(at moment: Moment, provenBy secret: LaneSecret) {
    let time = UUIDv7(at: moment, uniqueHigh: 0, uniqueLow: 0).high
    self = Self.proven(time: time, by: secret)
  }

  /// Whether this is the id of the worker that knows the secret.
  public func isProven(by secret: LaneSecret) -> Bool {
    self == Self.proven(time: uuid.high & ~0xFFF, by: secret)
  }

  private static func proven(time: UInt64, by secret: LaneSecret) -> WorkerID {
    let (high, low) = (secret.bits(of: [time, 1]), secret.bits(of: [time, 2]))
    return WorkerID(
      UUIDv7(high: time | high & 0xFFF, low: 0x8000_0000_0000_0000 | low & 0x3FFF_FFFF_FFFF_FFFF))
  }
}
