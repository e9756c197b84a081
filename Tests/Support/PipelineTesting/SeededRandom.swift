package import Pipeline
import Posix

/// SplitMix64: the same seed gives the same run.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) {
    state = seed
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}

extension Randomness {
  /// Chance that repeats itself.
  package static func seeded(_ seed: UInt64) -> Randomness {
    let generator = Lock(SeededGenerator(seed: seed))
    return Randomness { generator.withLock { $0.next() } }
  }
}
