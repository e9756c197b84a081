/// The frame every message travels in, little-endian throughout:
///
///      0  magic 'HY'      2  major   3  minor   4  message   5  job kind   6  flags
///      8  job, or wish (16)                  24  lease token   32  attempt  34  step
///     36  extensions' length             40  payload's length    44  CRC-32C of everything else
///     48  deadline, Unix ms              56  lane sequence
///     64  lane's secret (16)             80  lease's seal
///     88  extensions: type (u16), length (u32), value; then the payload
enum FrameLayout {
  static let magic: UInt16 = 0x5948
  static let major: UInt8 = 1
  static let minor: UInt8 = 0
  static let headerBytes = 88
  static let checksumOffset = 44
  static let longestExtensions = 16 << 10
  /// A whole JSON body of 8 MiB must fit, also when it grows by its conversion from UTF-16.
  static let longestPayload = 16 << 20
  /// An extension with this bit must be understood by the reader.
  static let mustUnderstand: UInt16 = 0x8000
}

enum MessageCode: UInt8 {
  case hello = 1
  case roster = 2
  case credit = 3
  case submit = 4
  case receipt = 5
  case job = 6
  case document = 7
  case result = 8
  case ack = 9
  case giveBack = 10
  case cancel = 11
  case drain = 12
  case bye = 13
  case query = 14
  case answer = 15
  case hostSlotRequest = 16
  case hostSlotGrant = 17
}

enum ExtensionType: UInt16 {
  case batch = 1
  case worker = 6
  case credit = 8
  case address = 9
  case locality = 11
  case host = 12
  case failure = 14
  case role = 17
  case peer = 18
  case reason = 19
  case trace = 20
  case messages = 21
  case after = 22
  case differing = 23
  case cachePolicy = 24
  case cacheNote = 25
  case responseNote = 26
  case oembed = 27
  case sideFailure = 28
  case waited = 29
  case program = 30
  case sandbox = 31
  case batchEnds = 40
  case terms = 50
  case fetchOptions = 60
  case fleetSize = 61
  case failureKinds = 62
  case pause = 63
}

/// The fields of the fixed header that messages use.
struct FrameHeader {
  var message: MessageCode
  var kind: UInt8 = 0
  var flags: UInt16 = 0
  var job = Self.noID
  var lease = LeaseToken(0)
  var attempt: UInt16 = 0
  var step: UInt16 = 0
  var deadline: Int64 = 0
  var laneSequence: UInt64 = 0
  var secret = LaneSecret.none

  static let noID = UUIDv7(high: 0, low: 0)

  /// What the place of the job's id holds in messages that are about no job.
  var id: UUIDv7? { job == Self.noID ? nil : job }
}

/// Why bytes are not a frame. Frames come from outside: this is data, never a trap.
public enum FrameError: Error, Hashable, Sendable {
  case tooShort
  case notAFrame
  /// Another major version; nothing of it is read.
  case otherVersion(major: UInt8)
  case wrongLength
  case wrongChecksum
  case unknownMessage(UInt8)
  case unknownExtension(UInt16)
  case malformed(StaticStringField)

  /// Names the field that could not be read.
  public struct StaticStringField: Hashable, Sendable, ExpressibleByStringLiteral {
    public let name: String
    public init(stringLiteral value: String) { name = value }
  }
}

/// A message is too large for a frame; it was not sent.
public struct FrameTooLarge: Error, Hashable, Sendable {
  public var bytes: Int
  public var limit: Int
}
