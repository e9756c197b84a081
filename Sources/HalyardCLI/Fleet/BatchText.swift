import JSONQuery
import Pipeline

/// Batches as users write them.
enum BatchText {
  static func id(_ arguments: ParsedArguments) throws(UsageError) -> BatchID {
    let text = arguments.operands.first ?? ""
    guard let uuid = UUIDv7(text) else {
      throw UsageError(
        "'\(Printable.text(text))' is no batch id such as 0198c0de-0000-7000-8000-000000000000",
        usage: arguments.command.usage, next: "halyard status")
    }
    return BatchID(uuid)
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

  static func unknown(_ batch: BatchID) -> InputError {
    InputError("\(batch)", "the fleet has no such batch; 'halyard status' names the newest ones")
  }
}
