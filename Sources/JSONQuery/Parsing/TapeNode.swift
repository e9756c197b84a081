/// One value or member name: where it stands in the source, and where its subtree ends on the tape.
///
/// Nodes stand in the order of the source, a container before its children, a member's name before its value.
struct TapeNode: Sendable {
  static let maximumCount = Int(UInt32.max >> countShift)
  private static let countShift: UInt32 = 4
  private static let escapedBit: UInt32 = 8
  private static let kindMask: UInt32 = 7

  let start: UInt32
  private(set) var end: UInt32
  private(set) var next: UInt32
  /// Kind in three bits, then whether a string has escapes, then the number of elements or members.
  private var details: UInt32

  init(_ kind: JSONKind, from start: Int, to end: Int, next: Int, hasEscapes: Bool = false) {
    self.start = UInt32(truncatingIfNeeded: start)
    self.end = UInt32(truncatingIfNeeded: end)
    self.next = UInt32(truncatingIfNeeded: next)
    details = UInt32(kind.rawValue) | (hasEscapes ? Self.escapedBit : 0)
  }

  /// A container whose end is not known yet: its place holds the node of the container around it.
  init(opening kind: JSONKind, at start: Int, inside parent: Int) {
    self.init(kind, from: start, to: parent, next: 0)
  }

  /// Of a container that is open.
  var parent: Int { Int(end) }

  /// Keeps how many children an open container has while one of them is read.
  mutating func suspend(count: Int) {
    details = details & Self.kindMask | UInt32(truncatingIfNeeded: count) << Self.countShift
  }

  mutating func close(at end: Int, next: Int, count: Int) {
    self.end = UInt32(truncatingIfNeeded: end)
    self.next = UInt32(truncatingIfNeeded: next)
    suspend(count: count)
  }

  var kind: JSONKind { JSONKind(rawValue: UInt8(details & Self.kindMask)) ?? .null }
  var isObject: Bool { details & Self.kindMask == UInt32(JSONKind.object.rawValue) }
  var hasEscapes: Bool { details & Self.escapedBit != 0 }
  var count: Int { Int(details >> Self.countShift) }

  /// The bytes of the value, quotes and brackets included.
  var range: Range<Int> { Int(start)..<Int(end) }
  /// The bytes between the quotes of a string.
  var contents: Range<Int> { Int(start) + 1..<Int(end) - 1 }
}
