/// Walks a document's tape for one query; values are known by their place on the tape.
struct PathEvaluator {
  let tape: Tape
  let root: Int
  var budget: StepBudget
  /// The last regular expression that came from the document.
  var latestPattern: (text: ArraySlice<UInt8>, pattern: Pattern?)?
  private let mostNodes: Int

  init(_ root: JSONValue, limits: JSONPathLimits) {
    tape = root.tape
    self.root = root.index
    budget = StepBudget(limits.steps)
    mostNodes = limits.nodes
  }

  /// What the query finds, starting at `current` when it is relative.
  mutating func nodes(of query: PathQuery, at current: Int) throws(JSONPathFailure) -> [Int] {
    var found = [query.isRelative ? current : root]
    for segment in query.segments {
      var next: [Int] = []
      for node in found {
        if segment.isDescendant {
          try appendDescendants(of: node, chosenBy: segment.selectors, to: &next)
        } else {
          try appendChildren(of: node, chosenBy: segment.selectors, to: &next)
        }
      }
      found = next
    }
    return found
  }

  /// What a singular query finds.
  mutating func node(of query: PathQuery, at current: Int) throws(JSONPathFailure) -> Int? {
    var found = query.isRelative ? current : root
    for segment in query.segments {
      let child: Int? =
        switch segment.selectors.first {
        case .name(let name): try member(of: found, named: name)
        case .index(let position): try element(of: found, at: position)
        case .wildcard, .slice, .filter, nil: nil
        }
      guard let child else { return nil }
      found = child
    }
    return found
  }

  /// The tape has every value before those inside it, which is the order the standard asks for.
  private mutating func appendDescendants(
    of node: Int, chosenBy selectors: [PathSelector], to found: inout [Int]
  ) throws(JSONPathFailure) {
    let end = Int(tape.nodes[node].next)
    try budget.take(end - node)
    for index in node..<end where tape.nodes[index].isContainer {
      try appendChildren(of: index, chosenBy: selectors, to: &found)
    }
  }

  private mutating func appendChildren(
    of node: Int, chosenBy selectors: [PathSelector], to found: inout [Int]
  ) throws(JSONPathFailure) {
    guard tape.nodes[node].isContainer else { return }
    for selector in selectors {
      switch selector {
      case .name(let name):
        if let member = try member(of: node, named: name) { try append(member, to: &found) }
      case .index(let position):
        if let element = try element(of: node, at: position) { try append(element, to: &found) }
      case .wildcard: try appendChildren(of: node, where: nil, to: &found)
      case .filter(let test): try appendChildren(of: node, where: test, to: &found)
      case .slice(let slice): try appendElements(of: node, chosenBy: slice, to: &found)
      }
    }
  }

  private mutating func appendChildren(
    of parent: Int, where test: PathTest?, to found: inout [Int]
  ) throws(JSONPathFailure) {
    let node = tape.nodes[parent]
    try budget.take(1 + node.count)
    // A member's name stands before its value.
    let offset = node.kind == .object ? 1 : 0
    var child = parent + 1 + offset
    while child < node.next {
      var isChosen = true
      if let test { isChosen = try holds(test, at: child) }
      if isChosen { try append(child, to: &found) }
      child = Int(tape.nodes[child].next) + offset
    }
  }

  private mutating func appendElements(
    of array: Int, chosenBy slice: PathSlice, to found: inout [Int]
  ) throws(JSONPathFailure) {
    let node = tape.nodes[array]
    guard node.kind == .array, node.count > 0 else { return }
    try budget.take(1 + node.count)
    var elements: [Int] = []
    elements.reserveCapacity(node.count)
    var element = array + 1
    while element < node.next {
      elements.append(element)
      element = Int(tape.nodes[element].next)
    }
    for position in slice.positions(of: elements.count) { try append(elements[position], to: &found) }
  }

  private func append(_ node: Int, to found: inout [Int]) throws(JSONPathFailure) {
    guard found.count < mostNodes else { throw .tooManyNodes(limit: mostNodes) }
    found.append(node)
  }

  /// Of several members with the name the last, as everywhere.
  private mutating func member(of object: Int, named name: [UInt8]) throws(JSONPathFailure) -> Int? {
    let node = tape.nodes[object]
    guard node.kind == .object else { return nil }
    try budget.take(1 + node.count)
    var found: Int?
    var at = object + 1
    while at < node.next {
      let key = tape.nodes[at]
      // Names of other lengths are told apart at once.
      if key.hasEscapes || abs(key.range.count - name.count) <= 2 { try budget.take(bytes: key.range.count) }
      if tape.string(key, equals: name.span) { found = at + 1 }
      at = Int(tape.nodes[at + 1].next)
    }
    return found
  }

  private mutating func element(of array: Int, at position: Int) throws(JSONPathFailure) -> Int? {
    let node = tape.nodes[array]
    let position = position < 0 ? node.count + position : position
    guard node.kind == .array, position >= 0, position < node.count else { return nil }
    try budget.take(1 + position)
    var element = array + 1
    for _ in 0..<position { element = Int(tape.nodes[element].next) }
    return element
  }
}

extension TapeNode {
  fileprivate var isContainer: Bool { kind == .object || kind == .array }
}

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
    case .literal(let literal):
      try budget.take(bytes: literal.size)
      return .scalar(literal)
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
    try budget.take((pattern?.program.count ?? 0) * Pattern.stepsToRead)
    return pattern
  }
}
