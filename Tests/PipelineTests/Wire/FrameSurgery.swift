@testable import Pipeline

/// Changes to a frame behind the codec's back.
struct FrameSurgery {
  var bytes: [UInt8]

  init(on envelope: Envelope) throws {
    bytes = try EnvelopeCodec.encode(envelope)
  }

  init(on bytes: [UInt8]) {
    self.bytes = bytes
  }

  enum Offset {
    static let major = 2
    static let minor = 3
    static let message = 4
    static let length = Frame.lengthOffset
  }

  /// Writes the checksum that belongs to the bytes as they are now.
  mutating func fixChecksum() {
    guard bytes.count >= Frame.headerBytes else { return }
    write(Frame.checksum(of: bytes), at: Frame.checksumOffset)
  }

  mutating func write(_ value: UInt32, at offset: Int) {
    for byte in 0..<4 { bytes[offset + byte] = UInt8(truncatingIfNeeded: value >> UInt32(8 * byte)) }
  }

  func read(at offset: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 | UInt32(bytes[offset + $1]) << UInt32(8 * $1) }
  }

  /// Adds bytes behind the message's fields, with a length and a checksum that fit.
  mutating func append(_ tail: [UInt8]) {
    bytes += tail
    write(read(at: Offset.length) + UInt32(tail.count), at: Offset.length)
    fixChecksum()
  }

  func refusal() -> FrameError? {
    do throws(FrameError) {
      _ = try EnvelopeCodec.decode(bytes)
      return nil
    } catch {
      return error
    }
  }
}
