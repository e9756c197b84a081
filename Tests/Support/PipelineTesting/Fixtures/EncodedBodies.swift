/// Bodies in the encodings of the web, made by other people's programs.
package enum EncodedBodies {
  /// What all of the short ones hold.
  package static let text = "hello, compressed world"

  package static let gzip: [UInt8] = [
    31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 203, 72, 205, 201, 201, 215, 81, 72, 206, 207, 45, 40, 74, 45, 46, 78,
    77, 81, 40, 207, 47, 202, 73, 1, 0, 8, 158, 52, 53, 23, 0, 0, 0,
  ]

  /// RFC 1950, as `deflate` is meant.
  package static let zlib: [UInt8] = [
    120, 218, 203, 72, 205, 201, 201, 215, 81, 72, 206, 207, 45, 40, 74, 45, 46, 78, 77, 81, 40, 207, 47, 202,
    73, 1, 0, 104, 178, 8, 222,
  ]

  /// RFC 1951, as some servers understand `deflate`.
  package static let rawDeflate: [UInt8] = [
    203, 72, 205, 201, 201, 215, 81, 72, 206, 207, 45, 40, 74, 45, 46, 78, 77, 81, 40, 207, 47, 202, 73, 1, 0,
  ]

  package static let brotli: [UInt8] = [
    31, 22, 0, 248, 37, 65, 200, 202, 114, 144, 77, 128, 201, 18, 46, 234, 72, 78, 63, 232, 29,
  ]

  package static let zstandard: [UInt8] = [
    40, 181, 47, 253, 4, 104, 185, 0, 0, 104, 101, 108, 108, 111, 44, 32, 99, 111, 109, 112, 114, 101, 115,
    115, 101, 100, 32, 119, 111, 114, 108, 100, 0, 55, 17, 22,
  ]

  /// Gzip inside gzip.
  package static let gzipOfGzip: [UInt8] = [
    31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 147, 239, 230, 96, 0, 1, 38, 230, 211, 30, 103, 79, 158, 188, 30,
    232, 113, 238, 188, 174, 134, 151, 174, 158, 159, 111, 160, 198, 121, 253, 83, 158, 140, 12, 28,
    243, 76, 76, 197, 129, 74, 0, 114, 57, 134, 22, 43, 0, 0, 0,
  ]

  /// Brotli inside gzip.
  package static let gzipOfBrotli: [UInt8] = [
    31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 147, 23, 99, 248, 161, 234, 120, 226, 84, 209, 4, 223, 134, 147, 66, 122,
    175, 60, 252, 236, 95, 200, 2, 0, 228, 234, 134, 213, 21, 0, 0, 0,
  ]

  /// A page of 3 MiB as `widePage`, in one piece that a window of 4 MiB holds.
  package static let wideBrotli: [UInt8] = [
    159, 28, 0, 48, 248, 29, 7, 118, 12, 109, 240, 83, 210, 54, 175, 121, 200, 202, 220, 244, 139, 79, 26,
    156,
    4, 41, 187, 235, 66, 100, 161, 229, 49, 185, 129, 3, 150, 33, 103, 224, 220, 251, 23, 137, 109, 31, 2, 0,
  ]

  package static let widePage =
    "<title>wide</title>" + String(repeating: " ", count: 3 << 20) + "<p>end</p>"
}

/// Small bodies that decode to a great many zeros.
extension EncodedBodies {
  /// A thousandth of what it becomes; never finished.
  package static func gzipBomb(mebibytes: Int) -> [UInt8] {
    let header: [UInt8] = [31, 139, 8, 0, 0, 0, 0, 0, 2, 3]
    let block: [UInt8] =
      [236, 193, 49, 1, 0, 0, 0, 194, 160, 245, 79, 109, 8, 95, 160] + .init(repeating: 0, count: 1_016)
      + [62, 3, 0, 0, 255, 255]
    return (0..<mebibytes).reduce(into: header) { bytes, _ in bytes += block }
  }

  /// A hundred mebibytes out of a hundred bytes.
  package static let brotliBomb: [UInt8] = [
    207, 255, 255, 127, 0, 36, 0, 226, 177, 64, 114, 239, 255, 249, 255, 255, 15, 128, 4, 64, 28, 22, 128,
    238, 253, 63, 255, 255, 255, 1, 144, 0, 136, 195, 2, 208, 189, 255, 231, 255, 255, 63, 0, 18, 0, 113, 88,
    0, 186, 247, 255, 252, 255, 255, 7, 64, 2, 32, 14, 11, 64, 247, 254, 159, 255, 255, 255, 0, 72, 0, 196,
    97, 1, 232, 222, 255, 231, 255, 255, 15, 0, 9, 128, 56, 44, 0, 221, 251, 31,
  ]

  /// Four bytes for each 128 KiB, in a frame that asks for a window of 8 MiB, or another power of two.
  ///
  /// - Parameters:
  ///   - start: What comes before the bytes that are repeated.
  ///   - byte: What is repeated.
  package static func zstandardBomb(
    mebibytes: Int, behind start: [UInt8] = [], of byte: UInt8 = 0, windowBits: UInt8 = 23
  ) -> [UInt8] {
    let header: [UInt8] = [40, 181, 47, 253, 0, (windowBits - 10) << 3]
    // The size of a block stands above the three low bits, whether it is one byte repeated in the second of them.
    func block(of size: Int, isOneByte: Bool) -> [UInt8] {
      let word = size << 3 | (isOneByte ? 2 : 0)
      return [0, 8, 16].map { UInt8(truncatingIfNeeded: word >> $0) }
    }
    let repeated = block(of: 128 << 10, isOneByte: true) + [byte]
    let bomb = header + block(of: start.count, isOneByte: false) + start
    return (0..<mebibytes * 8).reduce(into: bomb) { bytes, _ in bytes += repeated }
  }

  /// Two codings, `gzip` inside: the name in its header never ends, so that nothing comes of it.
  package static func endlessGzipHeader(mebibytes: Int) -> [UInt8] {
    zstandardBomb(mebibytes: mebibytes, behind: [31, 139, 8, 8, 0, 0, 0, 0, 0, 3], of: 120)
  }

  /// A hundred mebibytes of `zstd` inside `br`, in a window of 16 MiB: all of them a frame that is to be skipped.
  package static var brotliBombToSkip: [UInt8] {
    // Window of 16 MiB, and eight bytes as they are, which ends on a whole byte. The bomb's own window is its first half byte.
    let start: [UInt8] = [0x8F, 0x03, 0x80]
    let frame: [UInt8] = [0x50, 0x2A, 0x4D, 0x18, 255, 255, 255, 255]
    return start + frame
      + zip(brotliBomb, brotliBomb.dropFirst() + [0]).map { $0 >> 4 | $1 << 4 }
  }
}
