import Pipeline
import Posix

/// Everything that a seed decides.
final class SimulatedChance: Sendable {
  private let generator: Lock<SeededGenerator>

  init(seed: UInt64) {
    generator = Lock(SeededGenerator(seed: seed))
  }

  var bits: UInt64 { generator.withLock { $0.next() } }

  func happens(_ rate: Double) -> Bool {
    guard rate > 0 else { return false }
    return Double(bits >> 11) / Double(UInt64(1) << 53) < rate
  }

  func below(_ count: Int) -> Int { Int(bits % UInt64(max(1, count))) }

  func within(_ range: ClosedRange<Int64>) -> Int64 {
    range.lowerBound + Int64(bits % UInt64(range.upperBound - range.lowerBound + 1))
  }

  func element<Element>(of list: [Element]) -> Element? {
    list.isEmpty ? nil : list[below(list.count)]
  }

  /// For the roles: ids and jitter.
  var randomness: Randomness { Randomness { self.bits } }
}
