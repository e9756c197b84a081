extension JSONDocument {
  /// Member names, as strings, that repeat an earlier one of the same object, at most `limit` of them.
  ///
  /// A reader takes the last of several members; this is what a warning about the others needs.
  public func duplicateKeys(atMost limit: Int = 8) -> [JSONValue] {
    var keys: [Int] = []
    for (index, node) in tape.nodes.enumerated() where node.kind == .object && node.count > 1 {
      guard keys.count < limit else { break }
      tape.appendDuplicates(inObjectAt: index, to: &keys)
    }
    return keys.prefix(limit).map { JSONValue(tape: tape, index: $0) }
  }
}

extension Tape {
  /// Above this many members a hash table is cheaper than comparing every pair.
  private static let largestCompared = 12

  fileprivate func appendDuplicates(inObjectAt index: Int, to keys: inout [Int]) {
    let object = nodes[index]
    if object.count <= Self.largestCompared {
      appendDuplicatesByComparing(index, object, to: &keys)
    } else {
      appendDuplicatesByHashing(index, object, to: &keys)
    }
  }

  private func appendDuplicatesByComparing(_ index: Int, _ object: TapeNode, to keys: inout [Int]) {
    let nodes = nodes
    var later = Int(nodes[index + 2].next)
    while later < object.next {
      let name = nodes[later]
      var earlier = index + 1
      while earlier < later {
        if haveSameText(nodes[earlier], name) {
          keys.append(later)
          break
        }
        earlier = Int(nodes[earlier + 1].next)
      }
      later = Int(nodes[later + 1].next)
    }
  }

  /// Linear also for hostile names, because the standard library seeds its hasher.
  private func appendDuplicatesByHashing(_ index: Int, _ object: TapeNode, to keys: inout [Int]) {
    var seen: Set<ArraySlice<UInt8>> = []
    seen.reserveCapacity(object.count)
    var at = index + 1
    while at < object.next {
      if !seen.insert(decodedBytes(nodes[at])).inserted { keys.append(at) }
      at = Int(nodes[at + 1].next)
    }
  }

  private func haveSameText(_ left: TapeNode, _ right: TapeNode) -> Bool {
    if !left.hasEscapes && !right.hasEscapes {
      guard left.contents.count == right.contents.count else { return false }
      // Most names differ in their first character or have one alone.
      guard source[left.contents.lowerBound] == source[right.contents.lowerBound] else { return false }
      let source = source
      return areEqual(source.span.extracting(left.contents), source.span.extracting(right.contents))
    }
    return decodedBytes(left) == decodedBytes(right)
  }
}
