import Testing

@testable import Pages

/// Every charset against what the Encoding standard makes of the same bytes; scripts/generate-charsets wrote the digests.
struct EncodingStandardTests {
  @Test(arguments: CharsetDigests.pairs)
  func `every pair of bytes means what the standard says`(
    name: String, prefix: [UInt8], expected: UInt64
  ) throws {
    let charset = try #require(Charset(rawValue: name))
    var digest = Digest()
    for lead in UInt8(0x80)...0xFF {
      for trail in UInt8.min...0xFF {
        digest.add(TextDecoding.utf8(from: prefix + [lead, trail], charset: charset))
      }
    }
    #expect(digest.value == expected)
  }

  @Test(arguments: CharsetDigests.strings)
  func `broken text is repaired as the standard says`(name: String, expected: UInt64) throws {
    let charset = try #require(Charset(rawValue: name))
    var digest = Digest()
    var strings = TrickyStrings(seed: 2026)
    for _ in 0..<600 {
      let bytes = strings.next()
      guard charset != .eucJP || !bytes.contains(0x8F) else { continue }
      digest.add(TextDecoding.utf8(from: bytes, charset: charset))
    }
    #expect(digest.value == expected)
  }
}

/// FNV-1a over code points, each text closed by a mark.
private struct Digest {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ text: [UInt8]) {
    for scalar in String(decoding: text, as: UTF8.self).unicodeScalars { add(scalar.value) }
    add(0x11_0000)
  }

  private mutating func add(_ number: UInt32) {
    value = (value ^ UInt64(number)) &* 0x100_0000_01B3
  }
}

/// Bytes that tend to be leads, trails, escapes and ASCII.
private struct TrickyStrings {
  private var state: UInt64
  private static let shapes: [[UInt8]] = [
    Array("\u{1B}$B".utf8), Array("\u{1B}(J".utf8), Array("\u{1B}(I".utf8), Array("\u{1B}(B".utf8),
    Array("\u{1B}$@".utf8), [0x81, 0x30], [0x8F], [0x8E, 0xB1], [0xD8, 0x3D],
  ]

  init(seed: UInt64) { state = seed }

  mutating func next() -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<(1 + draw(24)) {
      switch draw(8) {
      case 0, 1: bytes.append(UInt8(0x20 + draw(0x60)))
      case 2, 3, 4: bytes.append(UInt8(0x81 + draw(0x7E)))
      case 5: bytes.append(UInt8(draw(256)))
      case 6: bytes.append(UInt8(0x30 + draw(10)))
      default: bytes += Self.shapes[draw(Self.shapes.count)]
      }
    }
    return bytes
  }

  private mutating func draw(_ limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(limit))
  }
}
