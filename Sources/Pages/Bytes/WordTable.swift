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
