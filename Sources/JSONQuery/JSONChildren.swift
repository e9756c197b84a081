extension JSONValue {
  /// The elements of an array in order; empty for other kinds.
  public var elements: JSONElements { JSONElements(parent: self) }

  /// The members of an object in order, repeated names included; empty for other kinds.
  public var members: JSONMembers { JSONMembers(parent: self) }

  /// The names of an object's members as strings with their places, in order, repeated ones included.
  public var memberNames: some Sequence<JSONValue> {
    members.lazy.map { [tape] member in JSONValue(tape: tape, index: member.value.index - 1) }
  }

  /// The element of an array at a position counted from 0.
  public func element(at position: Int) -> JSONValue? {
    guard position >= 0, position < count else { return nil }
    return elements.dropFirst(position).first { _ in true }
  }
}

/// Steps from child to child of a container over whole subtrees.
private struct ChildSteps {
  let tape: Tape
  let end: Int
  var index: Int

  /// Nothing when the value is no container of this kind.
  init(_ parent: JSONValue, as kind: JSONKind) {
    tape = parent.tape
    index = parent.index + 1
    end = parent.kind == kind ? Int(parent.node.next) : index
  }

  /// - Parameter offset: How many nodes the child's name takes.
  mutating func next(behind offset: Int) -> JSONValue? {
    guard index < end else { return nil }
    let value = JSONValue(tape: tape, index: index + offset)
    index = Int(value.node.next)
    return value
  }
}

/// The elements of an array.
public struct JSONElements: Sequence, Sendable {
  fileprivate let parent: JSONValue

  /// The number of elements.
  public var underestimatedCount: Int { parent.kind == .array ? parent.count : 0 }

  /// Starts at the front.
  public func makeIterator() -> Iterator { Iterator(steps: ChildSteps(parent, as: .array)) }

  /// The elements in their order.
  public struct Iterator: IteratorProtocol {
    fileprivate var steps: ChildSteps

    public mutating func next() -> JSONValue? { steps.next(behind: 0) }
  }
}

/// The members of an object.
public struct JSONMembers: Sequence, Sendable {
  fileprivate let parent: JSONValue

  /// The number of members.
  public var underestimatedCount: Int { parent.kind == .object ? parent.count : 0 }

  /// Starts at the front.
  public func makeIterator() -> Iterator { Iterator(steps: ChildSteps(parent, as: .object)) }

  /// The members in their order.
  public struct Iterator: IteratorProtocol {
    fileprivate var steps: ChildSteps

    /// The next member, its name decoded.
    public mutating func next() -> (key: String, value: JSONValue)? {
      let name = steps.index
      guard let value = steps.next(behind: 1) else { return nil }
      return (steps.tape.decodedString(steps.tape.nodes[name]), value)
    }
  }
}
