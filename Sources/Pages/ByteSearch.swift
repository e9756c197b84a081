import Posix

extension Span<UInt8> {
  /// Where the next byte above ASCII stands, or the end.
  func endOfASCII(from start: Int) -> Int {
    var index = start
    while index >= 0, index &+ 8 <= count {
      let high = word(at: index) & 0x8080_8080_8080_8080
      if high != 0 { return index &+ high.trailingZeroBitCount / 8 }
      index &+= 8
    }
    while index < count, self[index] < 0x80 { index &+= 1 }
    return min(index, count)
  }

  /// Eight bytes as one little-endian number; the optimizer turns this into a single load.
  @inline(__always)
  private func word(at index: Int) -> UInt64 {
    let low =
      UInt64(self[index]) | UInt64(self[index &+ 1]) << 8
      | UInt64(self[index &+ 2]) << 16 | UInt64(self[index &+ 3]) << 24
    let high =
      UInt64(self[index &+ 4]) | UInt64(self[index &+ 5]) << 8
      | UInt64(self[index &+ 6]) << 16 | UInt64(self[index &+ 7]) << 24
    return low | high << 32
  }

  /// The byte at an index that may lie outside.
  @inline(__always)
  func byte(at index: Int) -> UInt8? {
    index >= 0 && index < count ? self[index] : nil
  }

  var copied: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    for index in indices { bytes.append(self[index]) }
    return bytes
  }

  /// Whether a word given in lower case stands at an index, in any case.
  func has(_ word: String, at index: Int) -> Bool {
    let letters = word.utf8
    guard index >= 0, index <= count, letters.count <= count &- index else { return false }
    var position = index
    for letter in letters {
      guard self[position].lowercased == letter else { return false }
      position &+= 1
    }
    return true
  }

  /// Whether a word given in lower case stands in a range, in any case, and nothing else.
  func spells(_ word: String, in range: Range<Int>?) -> Bool {
    guard let range, range.count == word.utf8.count else { return false }
    return has(word, at: range.lowerBound)
  }

  /// The index of the first byte that is no white space.
  func skippingSpace(from start: Int, to end: Int) -> Int {
    var index = start
    while index < end, self[index].isHTMLSpace { index &+= 1 }
    return index
  }

  /// A range without the white space at its ends.
  func trimmed(_ range: Range<Int>) -> Range<Int> {
    let start = skippingSpace(from: range.lowerBound, to: range.upperBound)
    var end = range.upperBound
    while end > start, self[end &- 1].isHTMLSpace { end &-= 1 }
    return start..<end
  }
}

extension Span<UInt8> {
  /// Where a word stands for the last time; `isWord` asks that no letter or digit follows.
  func lastIndex(of word: String, isWord: Bool = false) -> Int? {
    let letters = Array(word.utf8)
    var end = count - letters.count + 1
    while let start = lastIndex(of: letters[0], before: end) {
      if stands(letters, at: start),
        !isWord || !(byte(at: start + letters.count)?.isASCIIAlphanumeric ?? false)
      {
        return start
      }
      end = start
    }
    return nil
  }

  /// Where a word stands next, or nil.
  func firstIndex(of word: String, from start: Int) -> Int? {
    let letters = Array(word.utf8)
    var index = firstIndex(of: letters[0], from: start)
    while index + letters.count <= count {
      if stands(letters, at: index) { return index }
      index = firstIndex(of: letters[0], from: index + 1)
    }
    return nil
  }

  private func stands(_ letters: [UInt8], at start: Int) -> Bool {
    for offset in letters.indices where self[start + offset] != letters[offset] { return false }
    return true
  }
}

extension UInt8 {
  /// The white space of HTML: tab, line feed, form feed, carriage return, space.
  var isHTMLSpace: Bool {
    self == 0x20 || self == 0x0A || self == 0x09 || self == 0x0D || self == 0x0C
  }

  var isASCIILetter: Bool { (self | 0x20) &- 0x61 < 26 }

  var isASCIIDigit: Bool { self &- 0x30 < 10 }

  var isASCIIAlphanumeric: Bool { isASCIILetter || isASCIIDigit }

  var lowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }

  var hexadecimalValue: UInt32? {
    if isASCIIDigit { return UInt32(self &- 0x30) }
    let letter = (self | 0x20) &- 0x61
    return letter < 6 ? UInt32(letter) &+ 10 : nil
  }

  static let ampersand = UInt8(ascii: "&")
  static let dash = UInt8(ascii: "-")
  static let doubleQuote = UInt8(ascii: "\"")
  static let equals = UInt8(ascii: "=")
  static let exclamation = UInt8(ascii: "!")
  static let greater = UInt8(ascii: ">")
  static let less = UInt8(ascii: "<")
  static let question = UInt8(ascii: "?")
  static let semicolon = UInt8(ascii: ";")
  static let singleQuote = UInt8(ascii: "'")
  static let slash = UInt8(ascii: "/")
  static let space = UInt8(ascii: " ")
}

/// Looks up short ASCII words in any case, without making strings of them.
struct WordTable<Value: Sendable>: Sendable {
  /// The words in lower case, the shortest first, one behind the other.
  private var letters: [UInt8] = []
  private var values: [Value] = []
  /// By length: the first entry of that length and where its letters start.
  private var entries: [Int] = []
  private var offsets: [Int] = []

  init(_ words: [(String, Value)]) {
    let sorted = words.sorted { $0.0.utf8.count < $1.0.utf8.count }
    for (word, value) in sorted {
      while entries.count <= word.utf8.count {
        entries.append(values.count)
        offsets.append(letters.count)
      }
      letters += word.utf8
      values.append(value)
    }
    entries.append(values.count)
  }

  subscript(bytes: Span<UInt8>, range: Range<Int>) -> Value? {
    let length = range.count
    guard length > 0, length < offsets.count else { return nil }
    var offset = offsets[length]
    for entry in entries[length]..<entries[length &+ 1] {
      if matches(bytes, range, offset) { return values[entry] }
      offset &+= length
    }
    return nil
  }

  private func matches(_ bytes: Span<UInt8>, _ range: Range<Int>, _ offset: Int) -> Bool {
    var letter = offset
    for index in range {
      if bytes[index].lowercased != letters[letter] { return false }
      letter &+= 1
    }
    return true
  }
}
