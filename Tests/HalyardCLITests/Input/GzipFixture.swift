/// A gzip member of stored blocks: what `gzip` would write if it did not compress.
func gzip(_ text: String, checksumOff: Bool = false) -> [UInt8] {
  let bytes = Array(text.utf8)
  var member: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
  var rest = bytes[...]
  repeat {
    let block = rest.prefix(20)
    rest = rest.dropFirst(block.count)
    let length = UInt16(block.count)
    member += [rest.isEmpty ? 1 : 0] + littleEndian(length) + littleEndian(~length) + block
  } while !rest.isEmpty
  return member + littleEndian(crc32(bytes) ^ (checksumOff ? 1 : 0)) + littleEndian(UInt32(bytes.count))
}

private func littleEndian(_ number: some FixedWidthInteger) -> [UInt8] {
  (0..<number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
}

private func crc32(_ bytes: [UInt8]) -> UInt32 {
  ~bytes.reduce(UInt32.max) { crc, byte in
    (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in (crc >> 1) ^ (crc & 1 == 1 ? 0xEDB8_8320 : 0) }
  }
}
