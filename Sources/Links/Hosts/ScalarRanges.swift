/// What is said of ranges of code points that cover them all.
struct ScalarRanges<Value: Sendable>: Sendable {
  private var starts: [UInt32] = []
  private var values: [Value] = []

  init() {}

  /// Reads words such as `61l`: where a range starts, and the letter of its value.
  init(table: String) where Value: RawRepresentable<Character> {
    for var word in TableWord.words(of: table) {
      guard let start = word.number(), let letter = word.sign().map(Unicode.Scalar.init),
        let value = Value(rawValue: Character(letter))
      else { continue }
      append(value, from: start)
    }
  }

  /// The range reaches to the next one, which starts behind it.
  mutating func append(_ value: Value, from start: UInt32) {
    starts.append(start)
    values.append(value)
  }

  /// The range that a code point lies in; nil before the first one.
  func range(of scalar: Unicode.Scalar) -> (start: UInt32, value: Value)? {
    var low = 0
    var high = starts.count
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] <= scalar.value { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? (starts[low - 1], values[low - 1]) : nil
  }
}
