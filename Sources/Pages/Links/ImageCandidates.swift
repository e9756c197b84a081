/// The addresses in a `srcset`, each with a width or a density behind it.
struct ImageCandidates {
  private var position: Int
  private let end: Int

  init(in range: Range<Int>) { (position, end) = (range.lowerBound, range.upperBound) }

  mutating func next(in bytes: Span<UInt8>) -> Range<Int>? {
    while position < end, bytes[position].isHTMLSpace || bytes[position] == Self.comma { position &+= 1 }
    guard position < end else { return nil }
    let start = position
    while position < end, !bytes[position].isHTMLSpace { position &+= 1 }
    var last = position
    while bytes[last &- 1] == Self.comma { last &-= 1 }
    if last == position { skipDescriptors(in: bytes) }
    return start..<last
  }

  /// A comma inside parentheses separates nothing.
  private mutating func skipDescriptors(in bytes: Span<UInt8>) {
    var depth = 0
    while position < end, bytes[position] != Self.comma || depth > 0 {
      if bytes[position] == UInt8(ascii: "(") { depth += 1 }
      if bytes[position] == UInt8(ascii: ")") { depth = max(0, depth - 1) }
      position &+= 1
    }
  }

  private static let comma = UInt8(ascii: ",")
}
