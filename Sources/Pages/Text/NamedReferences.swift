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

/// What an ampersand and the bytes behind it stand for.
struct CharacterReference: Sendable {
  var first: Unicode.Scalar
  var second: Unicode.Scalar?
  /// Where the text goes on.
  var end: Int

  /// Nil when the ampersand is just an ampersand.
  ///
  /// In an attribute a name without its semicolon is no reference when a letter, a digit or `=` follows:
  /// `?a=b&copy=1` keeps its parameters.
  static func read(
    in bytes: Span<UInt8>, at ampersand: Int, to end: Int, isAttribute: Bool
  ) -> CharacterReference? {
    let start = ampersand &+ 1
    guard start < end else { return nil }
    if bytes[start] == UInt8(ascii: "#") {
      return number(in: bytes, from: start &+ 1, to: end)
    }
    guard let match = NamedReferences.standard.longestMatch(in: bytes, from: start, to: end) else {
      return nil
    }
    let behind = start &+ match.length
    if isAttribute, !match.hasSemicolon, behind < end,
      bytes[behind] == .equals || bytes[behind].isASCIIAlphanumeric
    {
      return nil
    }
    return CharacterReference(first: match.first, second: match.second, end: behind)
  }

  private static func number(in bytes: Span<UInt8>, from start: Int, to end: Int) -> CharacterReference? {
    var index = start
    let isHexadecimal = index < end && bytes[index] | 0x20 == UInt8(ascii: "x")
    if isHexadecimal { index &+= 1 }
    let digits = index
    var value: UInt32 = 0
    while index < end, let digit = bytes[index].hexadecimalValue, isHexadecimal || digit < 10 {
      value = min(value &* (isHexadecimal ? 16 : 10) &+ digit, 0x110000)
      index &+= 1
    }
    guard index > digits else { return nil }
    if index < end, bytes[index] == .semicolon { index &+= 1 }
    return CharacterReference(first: scalar(numbered: value), second: nil, end: index)
  }

  /// Numbers of C1 controls mean what windows-1252 has there; what is no character is U+FFFD.
  private static func scalar(numbered value: UInt32) -> Unicode.Scalar {
    guard value != 0, let scalar = Unicode.Scalar(value) else { return "\u{FFFD}" }
    guard (0x80...0x9F).contains(value) else { return scalar }
    return c1Meanings[Int(value &- 0x80)] ?? scalar
  }

  private static let c1Meanings: [Unicode.Scalar?] = [
    "€", nil, "‚", "ƒ", "„", "…", "†", "‡", "ˆ", "‰", "Š", "‹", "Œ", nil, "Ž", nil,
    nil, "‘", "’", "“", "”", "•", "–", "—", "˜", "™", "š", "›", "œ", nil, "ž", "Ÿ",
  ]
}
