/// The named character references, laid out for a search that narrows letter by letter.
struct NamedReferences: Sendable {
  struct Match: Sendable {
    var first: Unicode.Scalar
    var second: Unicode.Scalar?
    /// How many bytes behind the ampersand the name takes, its semicolon included.
    var length: Int
    var hasSemicolon: Bool
  }

  private struct Entry {
    var nameStart: Int
    var nameEnd: Int
    var first: Unicode.Scalar
    var second: Unicode.Scalar?
    var needsSemicolon: Bool
  }

  static let standard = NamedReferences(table: namedReferenceTable)

  private let table: [UInt8]
  private let entries: [Entry]

  /// Expects what `scripts/generate-entities` writes; anything else is left out.
  init(table: String) {
    self.table = Array(table.utf8)
    var entries: [Entry] = []
    for word in self.table.split(whereSeparator: \.isHTMLSpace) {
      guard let separator = word.firstIndex(where: { !$0.isASCIIAlphanumeric }) else { continue }
      let scalars = word[(separator + 1)...].split(separator: UInt8(ascii: "+")).compactMap(Self.scalar)
      guard let first = scalars.first else { continue }
      entries.append(
        Entry(
          nameStart: word.startIndex, nameEnd: separator, first: first,
          second: scalars.count > 1 ? scalars[1] : nil, needsSemicolon: word[separator] == .semicolon))
    }
    self.entries = entries
  }

  var count: Int { entries.count }

  /// The longest name at `start`, which is behind the ampersand.
  func longestMatch(in bytes: Span<UInt8>, from start: Int, to end: Int) -> Match? {
    var low = 0
    var high = entries.count
    var depth = 0
    var longest: Match?
    while start &+ depth < end, bytes[start &+ depth].isASCIIAlphanumeric {
      let letter = bytes[start &+ depth]
      low = bound(of: letter, depth, low, high)
      high = bound(of: letter &+ 1, depth, low, high)
      guard low < high else { break }
      depth &+= 1
      let entry = entries[low]
      guard entry.nameEnd &- entry.nameStart == depth else { continue }
      let hasSemicolon = start &+ depth < end && bytes[start &+ depth] == .semicolon
      guard hasSemicolon || !entry.needsSemicolon else { continue }
      longest = Match(
        first: entry.first, second: entry.second, length: hasSemicolon ? depth &+ 1 : depth,
        hasSemicolon: hasSemicolon)
    }
    return longest
  }

  /// The first entry between two whose letter at a depth is not below `letter`; a name's end is below all.
  private func bound(of letter: UInt8, _ depth: Int, _ from: Int, _ to: Int) -> Int {
    var low = from
    var high = to
    while low < high {
      let middle = (low &+ high) / 2
      let entry = entries[middle]
      let index = entry.nameStart &+ depth
      if index < entry.nameEnd, table[index] >= letter { high = middle } else { low = middle &+ 1 }
    }
    return low
  }

  private static func scalar(_ digits: ArraySlice<UInt8>) -> Unicode.Scalar? {
    var value: UInt32 = 0
    for digit in digits {
      guard let next = digit.hexadecimalValue, value < 0x110000 else { return nil }
      value = value &* 16 &+ next
    }
    return Unicode.Scalar(value)
  }
}
