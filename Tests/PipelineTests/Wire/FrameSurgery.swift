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
    static let kind = 5
    static let flags = 6
    static let extensionsLength = 36
    static let payloadLength = 40
  }

  /// Writes the checksum that belongs to the bytes as they are now.
  mutating func fixChecksum() {
    guard bytes.count >= FrameLayout.headerBytes else { return }
    write(FrameLayout.checksum(of: bytes), at: FrameLayout.checksumOffset)
  }

  mutating func write(_ value: UInt32, at offset: Int) {
    for byte in 0..<4 { bytes[offset + byte] = UInt8(truncatingIfNeeded: value >> UInt32(8 * byte)) }
  }

  func read(at offset: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 | UInt32(bytes[offset + $1]) << UInt32(8 * $1) }
  }

  /// Adds an extension behind the others, with lengths and checksum that fit.
  mutating func addExtension(_ type: UInt16, _ value: [UInt8]) {
    let length = read(at: Offset.extensionsLength)
    var added = ByteWriter()
    added.integer(type)
    added.block(value)
    bytes.insert(contentsOf: added.bytes, at: FrameLayout.headerBytes + Int(length))
    write(length + UInt32(added.bytes.count), at: Offset.extensionsLength)
    fixChecksum()
  }

  mutating func appendToPayload(_ tail: [UInt8]) {
    bytes += tail
    write(read(at: Offset.payloadLength) + UInt32(tail.count), at: Offset.payloadLength)
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
