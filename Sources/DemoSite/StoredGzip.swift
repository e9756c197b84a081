import Compression

/// Wraps fewer than 65,536 bytes as gzip (RFC 1952) in one stored block, which every decoder must accept.
func gzipStored(_ bytes: [UInt8]) -> [UInt8] {
  let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
  return header + storedBlock(bytes) + littleEndian(crc32(bytes.span)) + littleEndian(UInt32(bytes.count))
}

/// The only block of a stream, as it is (RFC 1951).
func storedBlock(_ bytes: [UInt8]) -> [UInt8] {
  let length = UInt16(bytes.count)
  return [1] + littleEndian(length) + littleEndian(~length) + bytes
}

private func littleEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
  stride(from: 0, to: Number.bitWidth, by: 8).map { UInt8(truncatingIfNeeded: number >> $0) }
}
