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

/// Why bytes are not a frame, or not a record. They come from outside: this is data, never a trap.
public enum FrameError: Error, Hashable, Sendable {
  case tooShort
  case notAFrame
  /// Another major version; nothing of it is read.
  case otherVersion(major: UInt8)
  case wrongLength
  case wrongChecksum
  case unknownMessage(UInt8)
  /// The sender says that it must be known.
  case unknownField(UInt8)
  /// What could not be read, such as `field 3 of Hello`.
  case malformed(String)
}

/// A message is too large for a frame; it was not sent.
public struct FrameTooLarge: Error, Hashable, Sendable {
  public var bytes: Int
  public var limit: Int
}

/// Envelopes as binary frames, and back.
public enum EnvelopeCodec {
  /// Bytes of the largest frame there can be.
  public static let largestFrame = Frame.headerBytes + Frame.longestBody

  /// The version of the frames that are written: major, then minor.
  public static let version = UInt16(Frame.major) << 8 | UInt16(Frame.minor)

  /// Bytes of the longest row that a message surely holds, with all that goes with it.
  public static let longestRow = Frame.longestBody - (64 << 10)

  /// Fails only when the message is larger than a frame may be.
  public static func encode(_ envelope: Envelope) throws(FrameTooLarge) -> [UInt8] {
    var writer = ByteWriter()
    FrameHead.write(of: envelope, to: &writer)
    let code = envelope.message.write(to: &writer)
    try writer.checkBody(writer.count - Frame.headerBytes)
    writer.finishFrame(code: code)
    return writer.bytes
  }

  /// Fails as `encode` would, and where readers would refuse it. What a message takes is only counted.
  public static func check(_ message: Message) throws(FrameTooLarge) {
    var writer = ByteWriter(.count)
    message.write(to: &writer)
    if let refusal = writer.refusal { throw refusal }
    try writer.checkBody(writer.count)
  }

  /// What a message takes in its frame.
  public static func bytes(of message: Message) -> Int {
    var writer = ByteWriter(.count)
    message.write(to: &writer)
    return Frame.headerBytes + writer.count
  }

  /// Whether a message is small enough for a frame.
  public static func fits(_ message: Message) -> Bool {
    do throws(FrameTooLarge) {
      try check(message)
      return true
    } catch {
      return false
    }
  }

  /// Takes exactly one frame; anything missing, left over or changed on the way is a typed error.
  public static func decode(_ frame: [UInt8]) throws(FrameError) -> Envelope {
    var reader = ByteReader(frame[...])
    let head = try FrameHead(frame, &reader)
    let message = try Message(code: head.code, &reader)
    return Envelope(message, laneSequence: head.laneSequence, secret: head.secret)
  }
}

extension Message {
  /// Writes its fields.
  ///
  /// - Returns: Its code.
  @discardableResult fileprivate func write(to writer: inout ByteWriter) -> UInt8 {
    switch self {
    case .hello(let hello): hello.write(to: &writer, as: 1)
    case .roster(let roster): roster.write(to: &writer, as: 2)
    case .credit(let credit): credit.write(to: &writer, as: 3)
    case .submit(let submit): submit.write(to: &writer, as: 4)
    case .receipt(let receipt): receipt.write(to: &writer, as: 5)
    case .job(let order): order.write(to: &writer, as: 6)
    case .document(let document): document.write(to: &writer, as: 7)
    case .result(let result): result.write(to: &writer, as: 8)
    case .ack(let ack): ack.write(to: &writer, as: 9)
    case .giveBack(let giveBack): giveBack.write(to: &writer, as: 10)
    case .cancel(let cancel): cancel.write(to: &writer, as: 11)
    case .drain: 12
    case .bye(let bye): bye.write(to: &writer, as: 13)
    case .query(let query): query.write(to: &writer, as: 14)
    case .answer(let answer): answer.write(to: &writer, as: 15)
    case .hostSlotRequest(let request): request.write(to: &writer, as: 16)
    case .hostSlotGrant(let grant): grant.write(to: &writer, as: 17)
    case .ask(let ask): ask.write(to: &writer, as: 18)
    case .tell(let tell): tell.write(to: &writer, as: 19)
    }
  }

  fileprivate init(code: UInt8, _ reader: inout ByteReader) throws(FrameError) {
    switch code {
    case 1: self = .hello(try Hello(&reader))
    case 2: self = .roster(try Roster(&reader))
    case 3: self = .credit(try Credit(&reader))
    case 4: self = .submit(try Submit(&reader))
    case 5: self = .receipt(try Receipt(&reader))
    case 6: self = .job(try JobOrder(&reader))
    case 7: self = .document(try Document(&reader))
    case 8: self = .result(try JobResult(&reader))
    case 9: self = .ack(try Ack(&reader))
    case 10: self = .giveBack(try GiveBack(&reader))
    case 11: self = .cancel(try Cancel(&reader))
    case 12:
      var coder = ArchiveReader(reader, of: Message.self)
      try coder.finish()
      self = .drain
    case 13: self = .bye(try Bye(&reader))
    case 14: self = .query(try Query(&reader))
    case 15: self = .answer(try Answer(&reader))
    case 16: self = .hostSlotRequest(try HostSlotRequest(&reader))
    case 17: self = .hostSlotGrant(try HostSlotGrant(&reader))
    case 18: self = .ask(try Ask(&reader))
    case 19: self = .tell(try Tell(&reader))
    default: throw .unknownMessage(code)
    }
  }
}

extension Archived {
  fileprivate func write(to writer: inout ByteWriter, as code: UInt8) -> UInt8 {
    write(to: &writer)
    return code
  }
}
