import JSONQuery
import Links
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
  /// Two hashes of the name with different starts, each mixed until every bit depends on all of it.
  static func id(named name: String) -> BatchID {
    let time = mixed(name.stableHash())
    let rest = mixed(name.stableHash(from: 0x6C62_272E_07BB_0142))
    return BatchID(
      UUIDv7(
        at: Moment(unixMilliseconds: Int64(time >> 16)), uniqueHigh: UInt16(truncatingIfNeeded: time),
        uniqueLow: rest))
  }

  private static func mixed(_ hash: UInt64) -> UInt64 {
    var sum = hash
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

extension UUIDv7 {
  /// A new one.
  static func random(at now: Moment) -> UUIDv7 {
    UUIDv7(at: now, uniqueHigh: .random(in: .min ... .max), uniqueLow: .random(in: .min ... .max))
  }
}
