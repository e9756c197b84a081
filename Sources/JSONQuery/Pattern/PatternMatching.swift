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
