import Testing

@testable import Pipeline

struct FrameChecksumTests {
  @Test func `a frame's checksum leaves its own four bytes out`() {
    let frame = (0..<100).map { UInt8($0) }
    for index in 0..<100 {
      var other = frame
      other[index] ^= 1
      #expect(
        (Frame.checksum(of: other) == Frame.checksum(of: frame)) == (9..<13).contains(index))
    }
  }
}
