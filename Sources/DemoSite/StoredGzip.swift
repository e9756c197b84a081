/// Wraps fewer than 65,536 bytes as gzip (RFC 1952) in one stored block, which every decoder must accept.
func gzipStored(_ bytes: [UInt8]) -> [UInt8] {
  let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
  let length = UInt16(bytes.count)
  let block = [1] + littleEndian(length) + littleEndian(~length) + bytes
  return header + block + littleEndian(crc32(bytes)) + littleEndian(UInt32(bytes.count))
}

/// The checksum of gzip, bit by bit: the site needs it once.
func crc32(_ bytes: [UInt8]) -> UInt32 {
  var checksum = UInt32.max
  for byte in bytes {
    checksum ^= UInt32(byte)
    for _ in 0..<8 {
      checksum = checksum >> 1 ^ (checksum & 1 == 0 ? 0 : 0xEDB8_8320)
    }
  }
  return ~checksum
}

private func littleEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
  stride(from: 0, to: Number.bitWidth, by: 8).map { UInt8(truncatingIfNeeded: number >> $0) }
}
