/// Hangul syllables are composed and decomposed by arithmetic.
enum Hangul {
  private static let syllables: ClosedRange<UInt32> = 0xAC00...0xD7A3
  private static let leads: ClosedRange<UInt32> = 0x1100...0x1112
  private static let vowels: ClosedRange<UInt32> = 0x1161...0x1175
  private static let tails: ClosedRange<UInt32> = 0x11A8...0x11C2
  private static let vowelCount: UInt32 = 21
  /// With the syllables that have no tail.
  private static let tailCount: UInt32 = 28

  /// The two or three jamo of a syllable; nil for anything else.
  static func decomposed(_ scalar: Unicode.Scalar) -> [Unicode.Scalar]? {
    guard syllables.contains(scalar.value) else { return nil }
    let index = scalar.value - syllables.lowerBound
    let tail = index % tailCount
    let jamo = [
      leads.lowerBound + index / tailCount / vowelCount,
      vowels.lowerBound + index / tailCount % vowelCount,
      tail > 0 ? tails.lowerBound + tail - 1 : nil,
    ]
    return jamo.compactMap { $0.flatMap(Unicode.Scalar.init) }
  }

  /// The syllable of a lead and a vowel, or of a syllable without tail and a tail; nil for anything else.
  static func composed(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Unicode.Scalar? {
    if leads.contains(first.value), vowels.contains(second.value) {
      let index = (first.value - leads.lowerBound) * vowelCount + second.value - vowels.lowerBound
      return Unicode.Scalar(syllables.lowerBound + index * tailCount)
    }
    guard syllables.contains(first.value), tails.contains(second.value),
      (first.value - syllables.lowerBound).isMultiple(of: tailCount)
    else { return nil }
    return Unicode.Scalar(first.value + second.value - tails.lowerBound + 1)
  }
}
