/// How a document is read, as it stands in a job's record: one byte, and what it announces.
///
///     0  all of it         1  a selection: text         2  more: selection (0 or 1 and text), marks, requirements
///
/// Programs that do not know 2 refuse the record, because they would not check what must be checked.
extension ByteWriter {
  private static let moreCode: UInt8 = 2

  mutating func reading(_ reading: Reading) {
    guard !reading.isPlain else { return optionalText(reading.select) }
    integer(Self.moreCode)
    optionalText(reading.select)
    integer(UInt8(reading.unwraps ? 1 : 0))
    integer(UInt16(clamping: reading.require.count))
    for text in reading.require.prefix(Int(UInt16.max)) { self.text(text) }
  }
}

extension ByteReader {
  mutating func reading() throws(FrameError) -> Reading {
    switch try integer("reading", as: UInt8.self) {
    case 0: return Reading()
    case 1: return Reading(select: try text("select"))
    case 2:
      var reading = Reading(select: try optionalText("select"), unwraps: try flag("reading's marks"))
      for _ in 0..<(try integer("requirements", as: UInt16.self)) {
        reading.require.append(try text("requirement"))
      }
      return reading
    default: throw .malformed("reading")
    }
  }
}
