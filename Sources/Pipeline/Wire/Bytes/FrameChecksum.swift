import Checksums

extension FrameLayout {
  /// The checksum of a frame, its own four bytes left out.
  static func checksum(of frame: [UInt8]) -> UInt32 {
    let bytes = frame.span
    let start = CRC32C.update(CRC32C.initial, bytes.extracting(0..<checksumOffset))
    return CRC32C.finished(CRC32C.update(start, bytes.extracting((checksumOffset + 4)..<bytes.count)))
  }
}
