/// SipHash-2-4 of some words: who does not have the key can neither guess what it gives, nor tell it from random bits, nor
/// find the key in it. It is cheap enough for each lease and each message.
struct KeyedHash {
  private var (one, two, three, four): (UInt64, UInt64, UInt64, UInt64)

  static func bits(of word: UInt64, keyHigh high: UInt64, keyLow low: UInt64) -> UInt64 {
    bits(of: CollectionOfOne(word), keyHigh: high, keyLow: low)
  }

  static func bits(of words: some Collection<UInt64>, keyHigh high: UInt64, keyLow low: UInt64) -> UInt64 {
    var hash = KeyedHash(high, low)
    for word in words { hash.mix(in: word) }
    // So many bytes, in the highest one.
    hash.mix(in: UInt64(words.count * 8) << 56)
    hash.three ^= 0xFF
    for _ in 0..<4 { hash.turn() }
    return hash.one ^ hash.two ^ hash.three ^ hash.four
  }

  private init(_ high: UInt64, _ low: UInt64) {
    (one, two) = (low ^ 0x736F_6D65_7073_6575, high ^ 0x646F_7261_6E64_6F6D)
    (three, four) = (low ^ 0x6C79_6765_6E65_7261, high ^ 0x7465_6462_7974_6573)
  }

  private mutating func mix(in word: UInt64) {
    four ^= word
    for _ in 0..<2 { turn() }
    one ^= word
  }

  private mutating func turn() {
    one &+= two
    two = Self.turned(two, left: 13) ^ one
    one = Self.turned(one, left: 32)
    three &+= four
    four = Self.turned(four, left: 16) ^ three
    one &+= four
    four = Self.turned(four, left: 21) ^ one
    three &+= two
    two = Self.turned(two, left: 17) ^ three
    three = Self.turned(three, left: 32)
  }

  private static func turned(_ word: UInt64, left count: UInt64) -> UInt64 {
    word &<< count | word &>> (64 - count)
  }
}
