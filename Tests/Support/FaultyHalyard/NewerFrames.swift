import Compression

/// Frames as a program of the next minor version of the wire has them: each has a field that is not known here, and not
/// needed.
enum NewerFrames {
  private static let headerBytes = 37
  private static let minor = 3
  private static let length = 5
  private static let checksum = 9

  /// A block of a number that has no meaning.
  private static let added: [UInt8] = [0x7F, 2, 0xAA, 0x55]

  static func made(of frame: [UInt8]) -> [UInt8]? {
    guard frame.count >= headerBytes, frame[minor] == 0 else { return frame }
    var newer = frame + added
    newer[minor] = 1
    write(UInt32(newer.count - headerBytes), to: &newer, at: length)
    write(crc32c(of: newer), to: &newer, at: checksum)
    return newer
  }

  private static func write(_ value: UInt32, to bytes: inout [UInt8], at offset: Int) {
    for byte in 0..<4 { bytes[offset + byte] = UInt8(truncatingIfNeeded: value >> UInt32(8 * byte)) }
  }

  /// Of all bytes but the checksum's own.
  private static func crc32c(of frame: [UInt8]) -> UInt32 {
    let bytes = frame.span
    let start = CRC32C.update(CRC32C.initial, bytes.extracting(0..<checksum))
    return CRC32C.finished(CRC32C.update(start, bytes.extracting((checksum + 4)..<bytes.count)))
  }
}
