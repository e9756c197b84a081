extension JSONValue {
  /// The elements of an array in order; empty for other kinds.
  public var elements: JSONElements { JSONElements(parent: self) }

  /// The members of an object in order, repeated names included; empty for other kinds.
  public var members: JSONMembers { JSONMembers(parent: self) }

  /// The element of an array at a position counted from 0.
  public func element(at position: Int) -> JSONValue? {
    guard position >= 0, position < count else { return nil }
    return elements.dropFirst(position).first { _ in true }
  }
}

/// The elements of an array.
public struct JSONElements: Sequence, Sendable {
  fileprivate let parent: JSONValue

  /// The number of elements.
  public var underestimatedCount: Int { parent.kind == .array ? parent.count : 0 }

  /// Starts at the front.
  public func makeIterator() -> Iterator { Iterator(parent) }

  /// Steps from element to element over whole subtrees.
  public struct Iterator: IteratorProtocol {
    private let tape: Tape
    private let end: Int
    private var index: Int

    fileprivate init(_ parent: JSONValue) {
      tape = parent.tape
      index = parent.index + 1
      end = parent.kind == .array ? Int(parent.node.next) : index
    }

    /// The next element.
    public mutating func next() -> JSONValue? {
      guard index < end else { return nil }
      let value = JSONValue(tape: tape, index: index)
      index = Int(tape.nodes[index].next)
      return value
    }
  }
}

/// The members of an object.
public struct JSONMembers: Sequence, Sendable {
  fileprivate let parent: JSONValue

  /// The number of members.
  public var underestimatedCount: Int { parent.kind == .object ? parent.count : 0 }

  /// Starts at the front.
  public func makeIterator() -> Iterator { Iterator(parent) }

  /// Steps from member to member over whole subtrees.
  public struct Iterator: IteratorProtocol {
    private let tape: Tape
    private let end: Int
    private var index: Int

    fileprivate init(_ parent: JSONValue) {
      tape = parent.tape
      index = parent.index + 1
      end = parent.kind == .object ? Int(parent.node.next) : index
    }

    /// The next member, its name decoded.
    public mutating func next() -> (key: String, value: JSONValue)? {
      guard index < end else { return nil }
      let key = tape.decodedString(tape.nodes[index])
      let value = JSONValue(tape: tape, index: index + 1)
      index = Int(value.node.next)
      return (key, value)
    }
  }
}
