import Compression
import HTTPMessages

/// The pictures that pages and cards name: a lighthouse at night, as PNG.
func picture(at path: String) -> Response? {
  switch path {
  case "/images/lamp.png", "/images/ship.png":
    .page(lighthousePicture(width: 600, height: 315), contentType: "image/png")
  case "/images/icon.png": .page(lighthousePicture(width: 64, height: 64), contentType: "image/png")
  default: nil
  }
}

/// Two bits a pixel: sky, sea, walls, light.
private func lighthousePicture(width: Int, height: Int) -> [UInt8] {
  var rows: [UInt8] = []
  for y in 0..<height {
    // Each line begins with its filter: none.
    rows.append(0)
    for start in stride(from: 0, to: width, by: 4) {
      rows.append((0..<4).reduce(0) { $0 << 2 | colour(at: start + $1, y, width, height) })
    }
  }
  let size = bigEndian(UInt32(width)) + bigEndian(UInt32(height))
  return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    + chunk("IHDR", size + [2, 3, 0, 0, 0])
    + chunk("PLTE", [16, 42, 67, 11, 27, 43, 233, 238, 242, 255, 209, 102])
    + chunk("IDAT", zlibStored(rows))
    + chunk("IEND", [])
}

/// In hundredths of the height, from the middle of the tower's foot.
private func colour(at x: Int, _ y: Int, _ width: Int, _ height: Int) -> UInt8 {
  let right = (x - width / 2) * 100 / height
  let up = 90 - y * 100 / height
  switch up {
  case ..<0: return 1
  case ...50 where abs(right) <= 10 - up / 12: return up / 10 % 2 == 0 ? 2 : 1
  case 51...60 where abs(right) <= 5: return 3
  case 61...66 where abs(right) <= 66 - up: return 2
  default: return abs(up - 56) * 4 <= abs(right) && abs(right) > 5 ? 3 : 0
  }
}

private func chunk(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
  let named = Array(name.utf8) + bytes
  return bigEndian(UInt32(bytes.count)) + named + bigEndian(crc32(named.span))
}

/// Fewer than 65,536 bytes in one stored block (RFC 1950).
private func zlibStored(_ bytes: [UInt8]) -> [UInt8] {
  var (low, high) = (UInt32(1), UInt32(0))
  for byte in bytes {
    low = (low + UInt32(byte)) % 65_521
    high = (high + low) % 65_521
  }
  return [0x78, 0x01] + storedBlock(bytes) + bigEndian(high << 16 | low)
}

private func bigEndian(_ number: UInt32) -> [UInt8] {
  stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
}
