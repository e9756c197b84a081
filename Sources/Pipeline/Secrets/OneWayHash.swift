/// BLAKE2s (RFC 7693) of one block. What it tells of its words cannot be turned back into them, nor into others that
/// give the same. It takes some thousand instructions: it is for what happens once in a worker's or a lane's life.
struct OneWayHash {
  private typealias Row = SIMD4<UInt32>

  private static let start = Row(0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A)
  private static let more = Row(0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19)
  /// Which words of the block each round mixes in, in their order.
  private static let schedule: [SIMD16<UInt8>] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
    [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
    [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
    [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
    [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
    [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
    [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
    [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
  ]

  private var (first, second, third, fourth) = (start, more, start, more)
  /// The hash, eight words of which each has its lowest byte first.
  private(set) var words: SIMD8<UInt32>

  /// - Parameter bytes: How many bytes of the block count; the others are zero.
  init(_ block: SIMD16<UInt32>, bytes: UInt32) {
    words = SIMD8(lowHalf: Self.start, highHalf: Self.more)
    // The hash has 32 bytes, and there is no key.
    words[0] ^= 0x0101_0020
    (first, second) = (words.lowHalf, words.highHalf)
    // So many bytes, and this is the last block.
    fourth[0] ^= bytes
    fourth[2] = ~fourth[2]
    for places in Self.schedule {
      var chosen = SIMD16<UInt32>()
      for index in 0..<16 { chosen[index] = block[Int(places[index])] }
      mix(chosen.lowHalf)
      second = Row(second[1], second[2], second[3], second[0])
      third = Row(third[2], third[3], third[0], third[1])
      fourth = Row(fourth[3], fourth[0], fourth[1], fourth[2])
      mix(chosen.highHalf)
      second = Row(second[3], second[0], second[1], second[2])
      third = Row(third[2], third[3], third[0], third[1])
      fourth = Row(fourth[1], fourth[2], fourth[3], fourth[0])
    }
    words ^= SIMD8(lowHalf: first ^ third, highHalf: second ^ fourth)
  }

  private mutating func mix(_ message: SIMD8<UInt32>) {
    first = first &+ second &+ message.evenHalf
    fourth = Self.turned(fourth ^ first, right: 16)
    third = third &+ fourth
    second = Self.turned(second ^ third, right: 12)
    first = first &+ second &+ message.oddHalf
    fourth = Self.turned(fourth ^ first, right: 8)
    third = third &+ fourth
    second = Self.turned(second ^ third, right: 7)
  }

  private static func turned(_ row: Row, right count: UInt32) -> Row {
    row &>> Row(repeating: count) | row &<< Row(repeating: 32 - count)
  }

  /// What words are hashed for, so that one hash never stands for another.
  enum Purpose: UInt64 {
    case workerID = 1
    case sharedSecret = 2
  }

  /// The first 128 bits of the hash of up to four words.
  static func bits(
    _ purpose: Purpose, _ one: UInt64, _ two: UInt64, _ three: UInt64 = 0, _ four: UInt64 = 0
  ) -> (high: UInt64, low: UInt64) {
    var block = SIMD16<UInt32>()
    for (index, word) in [purpose.rawValue, one, two, three, four].enumerated() {
      block[2 * index] = UInt32(truncatingIfNeeded: word)
      block[2 * index + 1] = UInt32(truncatingIfNeeded: word >> 32)
    }
    let words = OneWayHash(block, bytes: 40).words
    return (UInt64(words[1]) << 32 | UInt64(words[0]), UInt64(words[3]) << 32 | UInt64(words[2]))
  }
}
