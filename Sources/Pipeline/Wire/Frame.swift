import Compression

/// The frame that every message travels in, little-endian:
///
///      0  magic 'HY'      2  major   3  minor   4  message   5  body's length
///      9  CRC-32C of everything else           13  lane sequence
///     21  lane's secret (16)                   37  the message's fields
///
/// A newer minor version may have more fields.
enum Frame {
  static let magic: UInt16 = 0x5948
  static let major: UInt8 = 1
  static let minor: UInt8 = 0
  static let headerBytes = 37
  static let codeOffset = 4
  static let lengthOffset = 5
  static let checksumOffset = 9
  /// A whole JSON body of 8 MiB must fit, also when it grows by its conversion from UTF-16.
  static let longestBody = 16 << 20

  /// Its own four bytes left out.
  static func checksum(of frame: [UInt8]) -> UInt32 {
    let bytes = frame.span
    let start = CRC32C.update(CRC32C.initial, bytes.extracting(0..<checksumOffset))
    return CRC32C.finished(CRC32C.update(start, bytes.extracting((checksumOffset + 4)..<bytes.count)))
  }
}

/// What a frame says beside its message.
struct FrameHead {
  var code: UInt8
  var laneSequence: UInt64
  var secret: LaneSecret

  /// Writes what goes before an envelope's message, with code, length and checksum still to come.
  static func write(of envelope: Envelope, to writer: inout ByteWriter) {
    writer.integer(Frame.magic)
    writer.integer(Frame.major)
    writer.integer(Frame.minor)
    writer.integer(UInt8(0))
    writer.integer(UInt64(0))
    writer.integer(envelope.laneSequence)
    envelope.secret.write(to: &writer)
  }

  /// Checks size, version and checksum of a frame. What is left in the reader is the body.
  init(_ frame: [UInt8], _ reader: inout ByteReader) throws(FrameError) {
    guard frame.count >= Frame.headerBytes else { throw .tooShort }
    guard try reader.integer(as: UInt16.self) == Frame.magic else { throw .notAFrame }
    let major = try reader.integer(as: UInt8.self)
    guard major == Frame.major else { throw .otherVersion(major: major) }
    _ = try reader.integer(as: UInt8.self)
    code = try reader.integer()
    let length = Int(try reader.integer(as: UInt32.self))
    let checksum = try reader.integer(as: UInt32.self)
    laneSequence = try reader.integer()
    secret = try LaneSecret(&reader)
    guard length <= Frame.longestBody, reader.remaining == length else { throw .wrongLength }
    guard checksum == Frame.checksum(of: frame) else { throw .wrongChecksum }
  }
}

extension ByteWriter {
  /// Sets code, length and checksum of the frame that this is.
  mutating func finishFrame(code: UInt8) {
    overwrite(at: Frame.codeOffset, with: code)
    overwrite(at: Frame.lengthOffset, with: UInt32(count - Frame.headerBytes))
    overwrite(at: Frame.checksumOffset, with: Frame.checksum(of: bytes))
  }

  func checkBody(_ bytes: Int) throws(FrameTooLarge) {
    guard bytes <= Frame.longestBody else { throw FrameTooLarge(bytes: bytes, limit: Frame.longestBody) }
  }
}
