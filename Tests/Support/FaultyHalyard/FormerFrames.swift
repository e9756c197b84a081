import Checksums

/// Frames as a program of wire version 1.0 has them: it writes nothing that is newer, skips what it does not know, and drops
/// messages that it cannot read.
enum FormerFrames {
  private static let headerBytes = 64
  private static let minor = 3
  private static let message = 4
  private static let flags = 6
  private static let extensionsLength = 36
  private static let checksum = 44

  /// What there was in version 1.0.
  private static let newestMessage: UInt8 = 17
  private static let query: UInt8 = 14
  private static let answer: UInt8 = 15
  private static let newestQuestion = 6
  private static let newestAnswer = 6
  private static let extensions: Set<Int> = [
    1, 6, 8, 9, 11, 12, 14, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 40,
  ]
  private static let mustUnderstand = 0x8000

  /// nil for what such a program neither sends nor reads.
  static func made(of frame: [UInt8]) -> [UInt8]? {
    guard frame.count >= headerBytes, frame[message] <= newestMessage else { return nil }
    let code = number(frame, at: flags, bytes: 2)
    if frame[message] == query, code > newestQuestion { return nil }
    if frame[message] == answer, code > newestAnswer { return nil }
    let length = number(frame, at: extensionsLength, bytes: 4)
    guard length <= frame.count - headerBytes, let kept = known(frame[headerBytes..<(headerBytes + length)])
    else { return nil }
    var former = Array(frame[..<headerBytes]) + kept + frame[(headerBytes + length)...]
    former[minor] = 0
    write(kept.count, to: &former, at: extensionsLength)
    write(Int(crc32c(of: former)), to: &former, at: checksum)
    return former
  }

  /// nil when one of the others must be understood.
  private static func known(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    var kept: [UInt8] = []
    var rest = bytes
    while rest.count >= 6 {
      let type = number(Array(rest.prefix(2)), at: 0, bytes: 2)
      let length = number(Array(rest.prefix(6)), at: 2, bytes: 4)
      guard length <= rest.count - 6 else { return nil }
      if extensions.contains(type & ~mustUnderstand) {
        kept += rest.prefix(6 + length)
      } else if type & mustUnderstand != 0 {
        return nil
      }
      rest = rest.dropFirst(6 + length)
    }
    return rest.isEmpty ? kept : nil
  }

  private static func number(_ bytes: [UInt8], at offset: Int, bytes count: Int) -> Int {
    (0..<count).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
  }

  private static func write(_ value: Int, to bytes: inout [UInt8], at offset: Int) {
    for byte in 0..<4 { bytes[offset + byte] = UInt8(truncatingIfNeeded: value >> (8 * byte)) }
  }

  /// Of all bytes but the checksum's own.
  private static func crc32c(of frame: [UInt8]) -> UInt32 {
    let bytes = frame.span
    let start = CRC32C.update(CRC32C.initial, bytes.extracting(0..<checksum))
    return CRC32C.finished(CRC32C.update(start, bytes.extracting((checksum + 4)..<bytes.count)))
  }
}
