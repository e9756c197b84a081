import JSONQuery
import Pipeline

/// A batch as a user wrote it: its id, or the name under which it was submitted.
struct BatchText: Hashable, Sendable {
  let id: BatchID
  private let text: String

  init(_ text: String) {
    self.text = text
    id = UUIDv7(text).map { BatchID($0) } ?? Self.id(named: text)
  }

  /// nil when none is named.
  init?(_ arguments: ParsedArguments) {
    guard let text = arguments.operands.first else { return nil }
    self.init(text)
  }

  /// An id made from a name: the same for the same name, for ever. Its time says nothing.
  ///
  /// Two FNV-1a sums of the name with different starts, each mixed until every bit depends on all of it.
  static func id(named name: String) -> BatchID {
    let time = sum(name, from: 0xCBF2_9CE4_8422_2325)
    let rest = sum(name, from: 0x6C62_272E_07BB_0142)
    return BatchID(
      UUIDv7(
        at: Moment(unixMilliseconds: Int64(time >> 16)), uniqueHigh: UInt16(truncatingIfNeeded: time),
        uniqueLow: rest))
  }

  private static func sum(_ text: String, from start: UInt64) -> UInt64 {
    var sum = start
    for byte in text.utf8 { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
    for _ in 0..<2 {
      sum = (sum ^ sum >> 33) &* 0xFF51_AFD7_ED55_8CCD
    }
    return sum ^ sum >> 33
  }

  var unknown: InputError {
    InputError(
      text, "the fleet has no batch of this id or name; 'halyard batches' lists those that it has")
  }
}
