extension Tape {
  /// Whether two nodes have the same value: arrays in order, objects in any; of equal names the last counts.
  func haveSameValue(_ left: Int, _ right: Int, _ budget: inout StepBudget) throws(JSONPathFailure) -> Bool {
    var open = [Run(left: left, right: right, end: Int(nodes[left].next))]
    while let run = open.last {
      guard run.left < run.end else {
        open.removeLast()
        continue
      }
      open[open.count - 1].left = Int(nodes[run.left].next)
      open[open.count - 1].right = Int(nodes[run.right].next)
      guard try areAlike(run.left, run.right, &open, &budget) else { return false }
    }
    return true
  }

  /// Values side by side, up to the left one's end.
  private struct Run {
    var left: Int
    var right: Int
    var end: Int
  }

  /// Compares what two nodes are and leaves what is inside them for later.
  private func areAlike(
    _ left: Int, _ right: Int, _ open: inout [Run], _ budget: inout StepBudget
  ) throws(JSONPathFailure) -> Bool {
    try budget.take(1)
    let (node, other) = (nodes[left], nodes[right])
    guard left != right else { return true }
    guard node.kind == other.kind else { return false }
    switch node.kind {
    case .array:
      guard node.count == other.count else { return false }
      open.append(Run(left: left + 1, right: right + 1, end: Int(node.next)))
      return true
    case .object:
      let (members, others) = (try memberTable(left, &budget), try memberTable(right, &budget))
      guard members.count == others.count else { return false }
      for (name, value) in members {
        guard let other = others[name] else { return false }
        open.append(Run(left: value, right: other, end: Int(nodes[value].next)))
      }
      return true
    case .string, .number, .bool, .null:
      guard let value = try scalar(at: left, &budget), let other = try scalar(at: right, &budget) else {
        return false
      }
      return JSONScalar.areEqual(value, other)
    }
  }

  /// Where the value of each name stands.
  func memberTable(
    _ index: Int, _ budget: inout StepBudget
  ) throws(JSONPathFailure) -> [ArraySlice<UInt8>: Int] {
    let object = nodes[index]
    try budget.take(object.count * Self.stepsToHash)
    var table: [ArraySlice<UInt8>: Int] = [:]
    table.reserveCapacity(object.count)
    var at = index + 1
    while at < object.next {
      try budget.take(bytes: nodes[at].range.count)
      table[decodedBytes(nodes[at])] = at + 1
      at = Int(nodes[at + 1].next)
    }
    return table
  }

  private static let stepsToHash = 8
}
