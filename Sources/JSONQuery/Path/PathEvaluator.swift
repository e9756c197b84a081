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
      if key.hasEscapes { try budget.take(bytes: key.range.count) }
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
