/// A regular expression of the interoperable kind (RFC 9485), matched in time proportional to the text.
///
/// As most readers of JSONPath have it, and unlike the RFC's grammar, an unescaped `^` or `$` outside brackets is the
/// start or the end of the text.
package struct Pattern: Sendable {
  let program: [PatternInstruction]

  /// Parses and compiles a pattern.
  package init(_ text: String) throws(PatternError) {
    var parser = PatternParser(text)
    let tree = try parser.readWholePattern()
    var compiler = PatternCompiler()
    try compiler.append(tree)
    program = compiler.program + [.accept]
  }

  /// What reading a byte of a pattern costs, in a query's steps.
  static let stepsToRead = 32
}

package enum PatternError: Error, Hashable, Sendable {
  case malformed
  case tooLarge
}

/// What the parser makes of a pattern.
indirect enum PatternTree: Sendable {
  case empty
  case one(CharacterClass)
  case start
  case end
  case sequence([PatternTree])
  case choice([PatternTree])
  /// Without an upper bound when `atMost` is nil.
  case repeated(PatternTree, atLeast: Int, atMost: Int?)
}

enum PatternInstruction: Sendable {
  case one(CharacterClass)
  case start
  case end
  case jump(Int)
  case fork(Int, Int)
  case accept
}

/// A set of characters: ranges, and general categories of Unicode.
struct CharacterClass: Sendable {
  var ranges: [ClosedRange<UInt32>] = []
  var categories = CategorySet()
  var isNegated = false

  init() {}

  init(_ scalar: Unicode.Scalar) { ranges = [scalar.value...scalar.value] }

  init(_ categories: CategorySet) { self.categories = categories }

  /// `.`: all but the ends of lines.
  static var any: CharacterClass {
    var all = CharacterClass()
    all.ranges = [0x0A...0x0A, 0x0D...0x0D]
    all.isNegated = true
    return all
  }

  /// The same set, its ranges in order and none beside another, as `contains` wants them.
  var sorted: CharacterClass {
    var sorted = self
    sorted.ranges = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = sorted.ranges.last, range.lowerBound <= last.upperBound + 1 {
        sorted.ranges[sorted.ranges.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        sorted.ranges.append(range)
      }
    }
    return sorted
  }

  /// Halves the ranges until one is left: a class costs little more than a character, however long it was written.
  func contains(_ scalar: Unicode.Scalar) -> Bool {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < scalar.value { low = middle + 1 } else { high = middle }
    }
    if low < ranges.count, ranges[low].contains(scalar.value) { return !isNegated }
    guard !categories.isEmpty else { return isNegated }
    return categories.contains(CategorySet(scalar.properties.generalCategory)) != isNegated
  }
}

/// General categories, each a bit.
struct CategorySet: OptionSet, Sendable {
  let rawValue: UInt32

  init(rawValue: UInt32) { self.rawValue = rawValue }

  init(_ category: Unicode.GeneralCategory) {
    self = Self.bits[category] ?? []
  }

  /// The categories of a name such as `L`, which is all letters, or `Lu`; nil for names that RFC 9485 does not have.
  init?(named name: String) {
    var set: UInt32 = 0
    for (bit, category) in Self.all.enumerated()
    where category.name == name || category.name.prefix(1) == name {
      set |= 1 << UInt32(bit)
    }
    guard set != 0, name != "Cs" else { return nil }
    self.init(rawValue: set)
  }

  var complement: CategorySet { CategorySet(rawValue: ~rawValue) }

  private static let all: [(name: String, category: Unicode.GeneralCategory)] = [
    ("Lu", .uppercaseLetter), ("Ll", .lowercaseLetter), ("Lt", .titlecaseLetter),
    ("Lm", .modifierLetter), ("Lo", .otherLetter), ("Mn", .nonspacingMark),
    ("Mc", .spacingMark), ("Me", .enclosingMark), ("Nd", .decimalNumber),
    ("Nl", .letterNumber), ("No", .otherNumber), ("Pc", .connectorPunctuation),
    ("Pd", .dashPunctuation), ("Ps", .openPunctuation), ("Pe", .closePunctuation),
    ("Pi", .initialPunctuation), ("Pf", .finalPunctuation), ("Po", .otherPunctuation),
    ("Sm", .mathSymbol), ("Sc", .currencySymbol), ("Sk", .modifierSymbol),
    ("So", .otherSymbol), ("Zs", .spaceSeparator), ("Zl", .lineSeparator),
    ("Zp", .paragraphSeparator), ("Cc", .control), ("Cf", .format),
    ("Cs", .surrogate), ("Co", .privateUse), ("Cn", .unassigned),
  ]

  private static let bits = Dictionary(
    uniqueKeysWithValues: all.enumerated().map { ($1.category, CategorySet(rawValue: 1 << UInt32($0))) })
}

/// Lays a pattern out as a program, what is repeated as often as it must occur.
struct PatternCompiler {
  private(set) var program: [PatternInstruction] = []

  private static let longestProgram = 10_000

  mutating func append(_ tree: PatternTree) throws(PatternError) {
    switch tree {
    case .empty: break
    case .one(let set): try emit(.one(set))
    case .start: try emit(.start)
    case .end: try emit(.end)
    case .sequence(let pieces): for piece in pieces { try append(piece) }
    case .choice(let branches): try append(branches[...])
    case .repeated(let piece, let least, let most): try append(piece, atLeast: least, atMost: most)
    }
  }

  private mutating func append(_ branches: ArraySlice<PatternTree>) throws(PatternError) {
    var jumps: [Int] = []
    for branch in branches.dropLast() {
      let fork = try emit(.jump(0))
      try append(branch)
      jumps.append(try emit(.jump(0)))
      program[fork] = .fork(fork + 1, program.count)
    }
    if let last = branches.last { try append(last) }
    for jump in jumps { program[jump] = .jump(program.count) }
  }

  private mutating func append(
    _ piece: PatternTree, atLeast least: Int, atMost most: Int?
  ) throws(PatternError) {
    for _ in 0..<least {
      let start = program.count
      try append(piece)
      // What needs no room would go on for ever.
      if program.count == start { break }
    }
    guard let most else {
      let fork = try emit(.jump(0))
      try append(piece)
      try emit(.jump(fork))
      program[fork] = .fork(fork + 1, program.count)
      return
    }
    var forks: [Int] = []
    for _ in least..<most {
      forks.append(try emit(.jump(0)))
      try append(piece)
    }
    for fork in forks { program[fork] = .fork(fork + 1, program.count) }
  }

  @discardableResult
  private mutating func emit(_ instruction: PatternInstruction) throws(PatternError) -> Int {
    guard program.count < Self.longestProgram else { throw .tooLarge }
    program.append(instruction)
    return program.count - 1
  }
}

extension Pattern {
  /// Whether any part of the text matches.
  package func isFound(in text: String) -> Bool {
    // No text is long enough to use this up.
    var budget = StepBudget(.max)
    return (try? matches(Array(text.utf8)[...], whole: false, &budget)) ?? false
  }

  /// Whether the text matches: all of it, or any part of it.
  func matches(
    _ text: ArraySlice<UInt8>, whole isWhole: Bool, _ budget: inout StepBudget
  ) throws(JSONPathFailure) -> Bool {
    var scalars = String(decoding: text, as: UTF8.self).unicodeScalars.makeIterator()
    try budget.take(program.count + text.count >> 3)
    var threads = PatternThreads(program)
    var scalar = scalars.next()
    threads.start(isAtStart: true, isAtEnd: scalar == nil)
    while let current = scalar {
      if !isWhole && threads.hasAccepted { return true }
      try budget.take(1 + threads.count + threads.visits)
      if isWhole && threads.count == 0 { return false }
      scalar = scalars.next()
      threads.step(over: current, isAtEnd: scalar == nil)
      if !isWhole { threads.start(isAtStart: false, isAtEnd: scalar == nil) }
    }
    return threads.hasAccepted
  }
}

/// All places of a program that a text can have led to, side by side: nothing is ever tried again.
private struct PatternThreads {
  private let program: [PatternInstruction]
  private var current: [Int] = []
  private var next: [Int] = []
  /// The round in which a place was last reached.
  private var reached: [UInt32]
  private var round: UInt32 = 1
  private var pending: [Int] = []
  private(set) var hasAccepted = false
  /// Places gone through in this round.
  private(set) var visits = 0

  var count: Int { current.count }

  init(_ program: [PatternInstruction]) {
    self.program = program
    reached = Array(repeating: 0, count: program.count)
  }

  /// Also begins the program here.
  mutating func start(isAtStart: Bool, isAtEnd: Bool) {
    follow(0, isAtStart: isAtStart, isAtEnd: isAtEnd)
    swap(&current, &next)
    current += next
    next.removeAll(keepingCapacity: true)
  }

  mutating func step(over scalar: Unicode.Scalar, isAtEnd: Bool) {
    round += 1
    hasAccepted = false
    visits = 0
    for place in current {
      if case .one(let set) = program[place], set.contains(scalar) {
        follow(place + 1, isAtStart: false, isAtEnd: isAtEnd)
      }
    }
    swap(&current, &next)
    next.removeAll(keepingCapacity: true)
  }

  /// Goes on to every place that wants a character.
  private mutating func follow(_ start: Int, isAtStart: Bool, isAtEnd: Bool) {
    pending.append(start)
    while let place = pending.popLast() {
      visits += 1
      guard reached[place] != round else { continue }
      reached[place] = round
      switch program[place] {
      case .one: next.append(place)
      case .start: if isAtStart { pending.append(place + 1) }
      case .end: if isAtEnd { pending.append(place + 1) }
      case .jump(let target): pending.append(target)
      case .fork(let first, let second): pending += [second, first]
      case .accept: hasAccepted = true
      }
    }
  }
}
