/// The mapping table of UTS 46: what becomes of each character of a name.
struct NameMapping: Sendable {
  private enum Rule {
    case valid
    case ignored
    case disallowed
    case shifted(Int)
    /// The first of every two becomes the second.
    case paired
    /// What each becomes stands in a row of `targets` from here.
    case listed(at: Int)
  }

  static let standard = NameMapping(table: nameMappingTable)

  private var rules = ScalarRanges<Rule>()
  private var targets: [Unicode.Scalar] = []
  /// Where the targets of each listed character end.
  private var targetEnds = [0]

  /// Expects what `scripts/generate-idna` writes; anything else is left out.
  init(table: String) {
    for var word in TableWord.words(of: table) {
      guard let start = word.number(), let rule = readRule(&word) else { continue }
      rules.append(rule, from: start)
    }
  }

  /// Names hold no code points but these.
  func isValid(_ scalar: Unicode.Scalar) -> Bool {
    switch rules.range(of: scalar) {
    case (_, .valid)?: true
    case (let start, .paired)?: !isFirstOfTwo(scalar, from: start)
    case (_, .ignored)?, (_, .disallowed)?, (_, .shifted)?, (_, .listed)?, nil: false
    }
  }

  /// The name as UTS 46 maps it; nil when it holds what names must not.
  func mapped(_ name: some Sequence<Unicode.Scalar>) -> [Unicode.Scalar]? {
    var result: [Unicode.Scalar] = []
    for scalar in name {
      guard let (start, rule) = rules.range(of: scalar) else { return nil }
      switch rule {
      case .valid: result.append(scalar)
      case .ignored: continue
      case .disallowed: return nil
      case .shifted(let distance): result.append(Self.scalar(scalar, shiftedBy: distance))
      case .paired: result.append(Self.scalar(scalar, shiftedBy: isFirstOfTwo(scalar, from: start) ? 1 : 0))
      case .listed(let first):
        let index = first + Int(scalar.value - start)
        result.append(contentsOf: targets[targetEnds[index]..<targetEnds[index + 1]])
      }
    }
    return result
  }

  private func isFirstOfTwo(_ scalar: Unicode.Scalar, from start: UInt32) -> Bool {
    (scalar.value - start).isMultiple(of: 2)
  }

  private static func scalar(_ scalar: Unicode.Scalar, shiftedBy distance: Int) -> Unicode.Scalar {
    Unicode.Scalar(UInt32(truncatingIfNeeded: Int(scalar.value) + distance)) ?? scalar
  }

  private mutating func readRule(_ word: inout TableWord) -> Rule? {
    switch word.sign() {
    case UInt8(ascii: "v"): return .valid
    case UInt8(ascii: "i"): return .ignored
    case UInt8(ascii: "x"): return .disallowed
    case UInt8(ascii: "p"): return .paired
    case UInt8(ascii: "s"): return word.number().map { .shifted(Int($0)) }
    case UInt8(ascii: "b"): return word.number().map { .shifted(-Int($0)) }
    case UInt8(ascii: "m"): return readList(&word)
    default: return nil
    }
  }

  private mutating func readList(_ word: inout TableWord) -> Rule {
    let first = targetEnds.count - 1
    while let target = word.scalar() {
      targets.append(target)
      if word.sign() != .plus { targetEnds.append(targets.count) }
    }
    return .listed(at: first)
  }
}

/// RFC 5892, appendix A: the two invisible joiners stand only where they change how a word looks.
enum JoinerRule {
  /// By its letter in the table.
  private enum Joining: Character {
    case left = "l"
    case right = "r"
    case both = "d"
    case transparent = "t"
    case none = "u"
  }

  private static let joinings = ScalarRanges<Joining>(table: joiningTable)

  static func allows(_ label: [Unicode.Scalar]) -> Bool {
    label.indices.allSatisfy { index in
      switch label[index] {
      case "\u{200D}": isBehindVirama(index, in: label)
      case "\u{200C}": isBehindVirama(index, in: label) || isBetweenJoined(index, in: label)
      default: true
      }
    }
  }

  private static func isBehindVirama(_ index: Int, in label: [Unicode.Scalar]) -> Bool {
    index > 0 && label[index - 1].properties.canonicalCombiningClass == .virama
  }

  private static func isBetweenJoined(_ index: Int, in label: [Unicode.Scalar]) -> Bool {
    let before = nearest(label[..<index].reversed())
    let after = nearest(label[(index + 1)...])
    return (before == .left || before == .both) && (after == .right || after == .both)
  }

  /// How the first character joins that is not transparent.
  private static func nearest(_ scalars: some Sequence<Unicode.Scalar>) -> Joining {
    for scalar in scalars {
      let joining = joinings.range(of: scalar)?.value ?? .none
      if joining != .transparent { return joining }
    }
    return .none
  }
}

/// RFC 5893: what right-to-left names may look like, so that they read the same everywhere.
enum BidiRule {
  /// By its letter in the table.
  private enum Direction: Character {
    case left = "l"
    case right = "r"
    case arabicNumber = "a"
    case europeanNumber = "e"
    case mark = "n"
    case other = "o"
  }

  private static let directions = ScalarRanges<Direction>(table: bidiTable)

  /// As soon as one label runs from right to left, every label has to follow the rule.
  static func allows(_ labels: [[Unicode.Scalar]]) -> Bool {
    let hasRightToLeft = labels.contains { label in
      label.contains { !$0.isASCII && isRightToLeft(direction(of: $0)) }
    }
    return !hasRightToLeft || labels.allSatisfy { allows($0.map(direction)) }
  }

  private static func direction(of scalar: Unicode.Scalar) -> Direction {
    directions.range(of: scalar)?.value ?? .other
  }

  private static func isRightToLeft(_ direction: Direction) -> Bool {
    direction == .right || direction == .arabicNumber
  }

  private static func allows(_ label: [Direction]) -> Bool {
    guard let first = label.first, let last = label.last(where: { $0 != .mark }) else { return label.isEmpty }
    switch first {
    case .left:
      return !label.contains(where: isRightToLeft) && (last == .left || last == .europeanNumber)
    case .right:
      let mixesNumbers = label.contains(.arabicNumber) && label.contains(.europeanNumber)
      return !label.contains(.left) && !mixesNumbers && last != .other
    case .arabicNumber, .europeanNumber, .mark, .other:
      return false
    }
  }
}

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

/// One word of a generated table: upper-case hexadecimal numbers between small letters and signs.
struct TableWord {
  private var rest: ArraySlice<UInt8>

  static func words(of table: String) -> [TableWord] {
    Array(table.utf8).split { $0 <= .space }.map { TableWord(rest: $0) }
  }

  /// Nil at the end.
  mutating func sign() -> UInt8? { rest.popFirst() }

  /// Nil where no number stands.
  mutating func number() -> UInt32? {
    var value: UInt32?
    while let byte = rest.first, !(0x61...0x7A).contains(byte), let digit = byte.hexDigitValue {
      value = (value ?? 0) << 4 | UInt32(digit)
      rest.removeFirst()
    }
    return value
  }

  mutating func scalar() -> Unicode.Scalar? { number().flatMap(Unicode.Scalar.init) }
}
