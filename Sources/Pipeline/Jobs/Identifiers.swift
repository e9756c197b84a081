/// A UUID of version 7: time-ordered, so that keys made one after another stand next to each other.
public struct UUIDv7: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let high: UInt64
  public let low: UInt64

  /// Builds one from its time and 74 bits that make it unique; version and variant bits are set here.
  public init(at moment: Moment, uniqueHigh: UInt16, uniqueLow: UInt64) {
    let time = UInt64(clamping: moment.unixMilliseconds) & 0xFFFF_FFFF_FFFF
    high = time << 16 | 0x7000 | UInt64(uniqueHigh & 0x0FFF)
    low = 0x8000_0000_0000_0000 | uniqueLow & 0x3FFF_FFFF_FFFF_FFFF
  }

  /// Takes the bits as they stand in a frame or a file.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  public static func < (left: UUIDv7, right: UUIDv7) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }

  /// The canonical form of 36 characters.
  public var description: String {
    String(decoding: utf8Text, as: UTF8.self)
  }

  /// The canonical form as ASCII bytes.
  public var utf8Text: [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(36)
    write(to: &text)
    return text
  }

  /// Appends the canonical form.
  public func write(to text: inout [UInt8]) {
    let start = text.count
    text.append(contentsOf: repeatElement(UInt8(ascii: "-"), count: 36))
    // Appended one by one, each character would ask for room and for other owners of the array.
    var room = text.mutableSpan
    for index in 0..<16 {
      room[start + index + (index < 8 ? 0 : index < 12 ? 1 : 2)] = Self.digit(index, of: high)
      room[start + index + (index < 4 ? 19 : 20)] = Self.digit(index, of: low)
    }
  }

  private static func digit(_ index: Int, of word: UInt64) -> UInt8 {
    let digit = UInt8(truncatingIfNeeded: word &>> UInt64(60 - index * 4)) & 0xF
    return digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
  }

  /// Reads the canonical form; nil when the text is not one.
  public init?(_ text: some StringProtocol) {
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    // Numbers may have a sign, and ids have none.
    guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12], groups.joined().allSatisfy(\.isHexDigit),
      let high = UInt64(groups[...2].joined(), radix: 16), let low = UInt64(groups[3...].joined(), radix: 16)
    else { return nil }
    self.init(high: high, low: low)
  }
}

/// An id of its own type, so that two kinds of ids are not mixed up.
public protocol TypedID: Codable, Comparable, CustomStringConvertible {
  var uuid: UUIDv7 { get }

  init(_ uuid: UUIDv7)
}

extension TypedID {
  @inlinable public static func < (left: Self, right: Self) -> Bool { left.uuid < right.uuid }
  public var description: String { uuid.description }
}

/// Jobs that were submitted together.
public struct BatchID: TypedID, WordPair, Hashable, Sendable {
  public let uuid: UUIDv7

  public init(_ uuid: UUIDv7) {
    self.uuid = uuid
  }

  /// For a batch that is not looked for later, such as a ping: it stands in no list, and is soon forgotten. The mark is
  /// where job ids have their ordinal, so it makes no two of them the same.
  public static func passing(_ uuid: UUIDv7) -> BatchID {
    BatchID(UUIDv7(high: uuid.high, low: uuid.low & ~ordinalBits | passingMark))
  }

  public var isPassing: Bool { uuid.low & Self.ordinalBits == Self.passingMark }

  /// The calls of a run stand in a batch of their own, which users do not see, so it is not listed either.
  ///
  /// It follows from the run: that of a run which is requeued is another one. The time stays the same to a minute, which
  /// keeps the order of ids; the other bits are mixed, so that no two runs share one.
  ///
  /// - Parameter life: How often the run was requeued.
  public static func calls(of run: JobID, life: Int) -> BatchID {
    let mixed = mix(mix(run.uuid.high ^ UInt64(truncatingIfNeeded: life)) ^ run.uuid.low)
    let high = run.uuid.high & 0xFFFF_FFFF_0000_F000 | mixed & 0xFFFF_0FFF
    let low = 0x8000_0000_0000_0000 | mixed >> 2 & 0x3FFF_FF00_0000_0000 | callsMark
    return BatchID(UUIDv7(high: high, low: low))
  }

  public var isOfCalls: Bool { uuid.low & Self.ordinalBits == Self.callsMark }

  /// SplitMix64's last steps: every bit depends on every other.
  private static func mix(_ bits: UInt64) -> UInt64 {
    var bits = bits &+ 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    return bits ^ bits >> 31
  }

  /// The bits of an id in which jobs have their ordinal.
  static let ordinalBits: UInt64 = 0xFF_FFFF_FFFF
  /// `ping` in ASCII.
  public static let passingMark: UInt64 = 0x00_7069_6E67
  /// `call` in ASCII.
  private static let callsMark: UInt64 = 0x00_6361_6C6C
}

/// One job, for ever.
public struct JobID: TypedID, WordPair, Hashable, Sendable {
  public let uuid: UUIDv7

  public init(_ uuid: UUIDv7) {
    self.uuid = uuid
  }

  /// The id of the job at `ordinal` of a batch. It depends on nothing else, so submitting a batch twice is
  /// harmless, and ids of a batch ascend with the ordinal.
  public init(batch: BatchID, ordinal: UInt64) {
    let kept = batch.uuid.low & 0x3FFF_FF00_0000_0000
    uuid = UUIDv7(high: batch.uuid.high, low: 0x8000_0000_0000_0000 | kept | ordinal & BatchID.ordinalBits)
  }

  /// The ordinal, as far as the id holds it.
  public var ordinalBits: UInt64 { uuid.low & BatchID.ordinalBits }

  /// The greatest id that is less; none has its lowest half all zeros.
  public var predecessor: JobID { JobID(UUIDv7(high: uuid.high, low: uuid.low &- 1)) }
}

/// One incarnation of a worker process; a restart makes a new one.
public struct WorkerID: TypedID, WordPair, Hashable, Sendable {
  public let uuid: UUIDv7

  public init(_ uuid: UUIDv7) {
    self.uuid = uuid
  }
}

/// The aggregator's claim that a worker is on a job. It grows with every grant, which fences late answers.
public struct LeaseToken: Hashable, Comparable, Sendable {
  public let value: UInt64
  /// What only those know who were given the lease; 0 in a ledger, which keeps only what the seal follows from.
  public let seal: UInt64

  public init(_ value: UInt64, seal: UInt64 = 0) {
    (self.value, self.seal) = (value, seal)
  }

  /// As ledgers have it.
  public var unsealed: LeaseToken { LeaseToken(value) }

  public static func < (left: LeaseToken, right: LeaseToken) -> Bool { left.value < right.value }
}
