import Testing

@testable import Compression

struct CRC32CTests {
  private static let scsiRead: [UInt8] =
    [0x01, 0xC0] + [UInt8](repeating: 0, count: 14) + [0x14] + [UInt8](repeating: 0, count: 5)
    + [0x04, 0, 0, 0, 0, 0x14, 0, 0, 0, 0x18, 0x28] + [UInt8](repeating: 0, count: 7) + [0x02]
    + [UInt8](repeating: 0, count: 7)

  /// The vectors of RFC 3720, and the usual check value.
  @Test(
    arguments: [
      ("nothing", [], 0),
      ("check value", Array("123456789".utf8), 0xE306_9283),
      ("32 zeros", [UInt8](repeating: 0, count: 32), 0x8A91_36AA),
      ("32 ones", [UInt8](repeating: 0xFF, count: 32), 0x62A8_AB43),
      ("ascending", Array(0..<32), 0x46DD_794E),
      ("descending", (0..<32).reversed(), 0x113F_DB5C),
      ("SCSI read", scsiRead, 0xD996_3A56),
    ] as [(String, [UInt8], UInt32)])
  func `known vectors`(name: String, bytes: [UInt8], checksum: UInt32) {
    #expect(CRC32C.of(bytes.span) == checksum)
  }

  @Test(arguments: Array(0..<40) + [100, 1_000, 10_000])
  func `many bytes at a time are the same as one bit at a time`(length: Int) {
    let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 73 &+ 11) }
    var slow: UInt32 = ~0
    for byte in bytes {
      slow ^= UInt32(byte)
      for _ in 0..<8 { slow = slow & 1 == 1 ? slow >> 1 ^ 0x82F6_3B78 : slow >> 1 }
    }
    #expect(CRC32C.of(bytes.span) == ~slow)
  }

  @Test func `the checksum of parts is that of the whole`() {
    let bytes = (0..<100).map { UInt8($0) }
    let (first, second) = (Array(bytes[..<37]), Array(bytes[37...]))
    let state = CRC32C.update(CRC32C.update(CRC32C.initial, first.span), second.span)
    #expect(CRC32C.finished(state) == CRC32C.of(bytes.span))
  }
}
