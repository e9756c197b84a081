extension PathEvaluator {
  /// What a part of a comparison comes to.
  private enum Operand {
    case nothing
    case node(Int)
    case scalar(JSONScalar)
  }

  mutating func holds(_ test: PathTest, at current: Int) throws(JSONPathFailure) -> Bool {
    try budget.take(1)
    switch test {
    case .any(let tests):
      for test in tests where try holds(test, at: current) { return true }
      return false
    case .all(let tests):
      for test in tests where try !holds(test, at: current) { return false }
      return true
    case .not(let test): return try !holds(test, at: current)
    case .exists(let query):
      if query.isSingular { return try node(of: query, at: current) != nil }
      return try !nodes(of: query, at: current).isEmpty
    case .compare(let left, let comparison, let right):
      return try compare(value(of: left, at: current), comparison, value(of: right, at: current))
    case .match(let match): return try holds(match, at: current)
    }
  }

  private mutating func value(of operand: PathOperand, at current: Int) throws(JSONPathFailure) -> Operand {
    switch operand {
    case .literal(let literal): return .scalar(literal)
    case .query(let query): return try node(of: query, at: current).map { .node($0) } ?? .nothing
    case .length(let operand):
      let length = try length(of: value(of: operand, at: current))
      return length.map { .scalar(.number(ExactNumber($0))) } ?? .nothing
    case .count(let query):
      return .scalar(.number(ExactNumber(try nodes(of: query, at: current).count)))
    case .value(let query):
      let found = try nodes(of: query, at: current)
      return found.count == 1 ? .node(found[0]) : .nothing
    }
  }

  /// Characters of a string, elements of an array, members of an object with repeated names counted once.
  private mutating func length(of operand: Operand) throws(JSONPathFailure) -> Int? {
    if case .string(let text)? = try scalar(of: operand) {
      try budget.take(bytes: text.count)
      return text.count { $0 & 0xC0 != 0x80 }
    }
    guard case .node(let index) = operand else { return nil }
    switch tape.nodes[index].kind {
    case .array: return tape.nodes[index].count
    case .object: return try tape.memberTable(index, &budget).count
    case .string, .number, .bool, .null: return nil
    }
  }

  private mutating func scalar(of operand: Operand) throws(JSONPathFailure) -> JSONScalar? {
    switch operand {
    case .nothing: nil
    case .node(let index): try tape.scalar(at: index, &budget)
    case .scalar(let scalar): scalar
    }
  }

  private mutating func compare(
    _ left: Operand, _ comparison: PathComparison, _ right: Operand
  ) throws(JSONPathFailure) -> Bool {
    switch comparison {
    case .equal: return try areEqual(left, right)
    case .unequal: return try !areEqual(left, right)
    case .less: return try isLess(left, than: right)
    case .greater: return try isLess(right, than: left)
    case .lessOrEqual: return try isLess(left, than: right) ? true : areEqual(left, right)
    case .greaterOrEqual: return try isLess(right, than: left) ? true : areEqual(left, right)
    }
  }

  private mutating func areEqual(_ left: Operand, _ right: Operand) throws(JSONPathFailure) -> Bool {
    switch (left, right) {
    case (.nothing, .nothing): return true
    case (.nothing, _), (_, .nothing): return false
    case (.node(let left), .node(let right)): return try tape.haveSameValue(left, right, &budget)
    case (.scalar, _), (_, .scalar):
      guard let left = try scalar(of: left), let right = try scalar(of: right) else { return false }
      return JSONScalar.areEqual(left, right)
    }
  }

  private mutating func isLess(_ left: Operand, than right: Operand) throws(JSONPathFailure) -> Bool {
    guard let left = try scalar(of: left), let right = try scalar(of: right) else { return false }
    return JSONScalar.isLess(left, than: right)
  }

  private mutating func holds(_ match: PathMatch, at current: Int) throws(JSONPathFailure) -> Bool {
    let pattern: Pattern?
    switch match.expression {
    case .known(let known): pattern = known
    case .computed(let operand):
      guard case .string(let text)? = try scalar(of: value(of: operand, at: current)) else { return false }
      pattern = try self.pattern(text)
    }
    guard let pattern, case .string(let text)? = try scalar(of: value(of: match.subject, at: current))
    else { return false }
    return try pattern.matches(text, whole: match.isWhole, &budget)
  }

  private mutating func pattern(_ text: ArraySlice<UInt8>) throws(JSONPathFailure) -> Pattern? {
    if let latestPattern, latestPattern.text == text { return latestPattern.pattern }
    try budget.take(text.count * Pattern.stepsToRead)
    let pattern: Pattern?
    do {
      pattern = try Pattern(String(decoding: text, as: UTF8.self))
    } catch PatternError.tooLarge {
      throw .patternTooLarge
    } catch {
      pattern = nil
    }
    latestPattern = (text, pattern)
    return pattern
  }
}
