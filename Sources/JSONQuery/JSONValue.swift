/// A view of one value of a document; cheap to copy, and it keeps the document alive.
public struct JSONValue: Sendable {
  let tape: Tape
  let index: Int

  var node: TapeNode { tape.nodes[index] }

  /// Which of the six kinds the value is.
  public var kind: JSONKind { node.kind }

  public var string: String? { kind == .string ? tape.decodedString(node) : nil }

  /// A number exactly as it is written in the document.
  public var numberText: String? {
    kind == .number ? String(decoding: tape.source[node.range], as: UTF8.self) : nil
  }

  /// A number that is written without fraction and exponent and fits.
  public var int64: Int64? { numberText.flatMap { Int64($0) } }

  /// Whether a value is `true`; nil for what is neither `true` nor `false`.
  public var bool: Bool? {
    kind == .bool ? tape.source[Int(node.start)] == UInt8(ascii: "t") : nil
  }

  /// Whether the value is `null`.
  public var isNull: Bool { kind == .null }

  /// How many elements an array or members an object has, repeated names included; 0 for other kinds.
  public var count: Int { node.count }

  /// The byte at which the value starts in the document's UTF-8 form.
  public var offset: Int { Int(node.start) }

  /// Bytes that the value takes in the document's UTF-8 form, white space inside it included.
  public var length: Int { node.range.count }

  /// The member of an object with this name, compared byte by byte; of several the last.
  public subscript(key: String) -> JSONValue? {
    guard kind == .object else { return nil }
    let wanted = key.utf8.span
    var found: Int?
    var at = index + 1
    while at < node.next {
      if tape.string(tape.nodes[at], equals: wanted) { found = at + 1 }
      at = Int(tape.nodes[at + 1].next)
    }
    return found.map { JSONValue(tape: tape, index: $0) }
  }
}

/// A checked JSON document (RFC 8259), read once and kept as written.
///
/// Strings are decoded and numbers read only when asked for.
public struct JSONDocument: Sendable {
  /// Texts of a sequence that are broken and were passed over, as RFC 7464 has it.
  public let skipped: [JSONError]
  let tape: Tape
  private let wide: WideText?

  /// Checks all of `bytes`: UTF-8 with or without a byte order mark; UTF-16 and UTF-32 are converted first.
  ///
  /// A stream of texts becomes an array of them. A broken line fails, a broken text of a sequence does only when none is sound.
  ///
  /// - Parameter unwrapping: Whether the JSON may stand in a script, see `ScriptWrapping`.
  public init(
    parsing bytes: [UInt8], as form: JSONForm = .text, unwrapping: Bool = false, limits: JSONLimits = .init()
  ) throws(JSONError) {
    let wide = WideText(bytes)
    let source = if let wide { try wide.utf8(of: bytes) } else { bytes }
    guard source.count < UInt32.max else { throw JSONError(.tooLarge, at: Int(UInt32.max)) }
    var text = source.dropFirst(source.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
    if unwrapping { text = ScriptWrapping.contents(of: text) }
    var limits = limits
    // The array around them is a level too.
    if form != .text { limits.depth -= 1 }
    var builder = TapeBuilder(startingAt: text.startIndex, limits: limits)
    do {
      try builder.build(form, source.span.extracting(first: text.endIndex))
    } catch {
      throw wide?.sent(error, source) ?? error
    }
    skipped = builder.skipped.map { wide?.sent($0, source) ?? $0 }
    tape = Tape(
      source: source, nodes: builder.nodes, isMinified: builder.isMinified, isStream: form != .text)
    self.wide = wide
  }

  /// The outermost value.
  public var root: JSONValue { JSONValue(tape: tape, index: 0) }

  /// The byte of the document as it came at which a value of it starts; the same as `offset` unless it was converted.
  public func sentOffset(of value: JSONValue) -> Int {
    wide?.sentOffset(of: value.offset, in: tape.source) ?? value.offset
  }
}

/// What all views of one document share.
final class Tape: Sendable {
  let source: [UInt8]
  let nodes: [TapeNode]
  let isMinified: Bool
  /// Whether the root is an array that is not written: its elements stand in the source one after another.
  let isStream: Bool

  init(source: [UInt8], nodes: [TapeNode], isMinified: Bool, isStream: Bool) {
    self.source = source
    self.nodes = nodes
    self.isMinified = isMinified
    self.isStream = isStream
  }
}

/// The six kinds of JSON values.
public enum JSONKind: UInt8, CaseIterable, Sendable {
  case object
  case array
  case string
  case number
  case bool
  case null
}

/// How a body holds its JSON.
public enum JSONForm: Hashable, Sendable {
  /// One text (RFC 8259).
  case text
  /// A text on each line; blank lines do not count.
  case lines
  /// Texts behind record separators (RFC 7464).
  case sequence

  static let recordSeparator: UInt8 = 0x1E
}

extension JSONValue {
  /// The elements of an array in order; empty for other kinds.
  public var elements: JSONElements { JSONElements(steps: ChildSteps(self, as: .array)) }

  /// The members of an object in order, repeated names included; empty for other kinds.
  public var members: JSONMembers { JSONMembers(steps: ChildSteps(self, as: .object)) }

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
private struct ChildSteps: Sendable {
  let tape: Tape
  let count: Int
  let end: Int
  var index: Int

  /// Nothing when the value is no container of this kind.
  init(_ parent: JSONValue, as kind: JSONKind) {
    tape = parent.tape
    index = parent.index + 1
    let isContainer = parent.kind == kind
    count = isContainer ? parent.count : 0
    end = isContainer ? Int(parent.node.next) : index
  }

  /// - Parameter offset: How many nodes the child's name takes.
  mutating func next(behind offset: Int) -> JSONValue? {
    guard index < end else { return nil }
    let value = JSONValue(tape: tape, index: index + offset)
    index = Int(value.node.next)
    return value
  }
}

/// The elements of an array in their order.
public struct JSONElements: Sequence, IteratorProtocol, Sendable {
  fileprivate var steps: ChildSteps

  public var underestimatedCount: Int { steps.count }

  public mutating func next() -> JSONValue? { steps.next(behind: 0) }
}

/// The members of an object in their order, their names decoded.
public struct JSONMembers: Sequence, IteratorProtocol, Sendable {
  fileprivate var steps: ChildSteps

  public var underestimatedCount: Int { steps.count }

  public mutating func next() -> (key: String, value: JSONValue)? {
    let name = steps.index
    guard let value = steps.next(behind: 1) else { return nil }
    return (steps.tape.decodedString(steps.tape.nodes[name]), value)
  }
}

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
