import Checksums

/// Frames as a program of the next minor version of the wire has them: each has an extension that is not known here, and
/// not needed.
enum NewerFrames {
  private static let headerBytes = 88
  private static let minor = 3
  private static let extensionsLength = 36
  private static let checksum = 44

  /// A type that has no meaning, the length of its value, and the value.
  private static let added: [UInt8] = [0xFF, 0x7F, 2, 0, 0, 0, 0xAA, 0x55]

  static func made(of frame: [UInt8]) -> [UInt8]? {
    guard frame.count >= headerBytes, frame[minor] == 0 else { return frame }
    var newer = frame[..<headerBytes] + added + frame[headerBytes...]
    newer[minor] = 1
    let length = (0..<4).reduce(0) { $0 | Int(frame[extensionsLength + $1]) << (8 * $1) }
    write(UInt32(length + added.count), to: &newer, at: extensionsLength)
    write(crc32c(of: newer), to: &newer, at: checksum)
    return Array(newer)
  }

  private static func write(_ value: UInt32, to bytes: inout ArraySlice<UInt8>, at offset: Int) {
    for byte in 0..<4 { bytes[offset + byte] = UInt8(truncatingIfNeeded: value >> UInt32(8 * byte)) }
  }

  /// Of all bytes but the checksum's own.
  private static func crc32c(of frame: ArraySlice<UInt8>) -> UInt32 {
    let bytes = frame.span
    let start = CRC32C.update(CRC32C.initial, bytes.extracting(0..<checksum))
    return CRC32C.finished(CRC32C.update(start, bytes.extracting((checksum + 4)..<bytes.count)))
  }
}
