/// 128 bits that only the two ends of a lane know. Every frame of the lane has them, in both directions, so no other
/// member can speak in the name of either end.
///
/// A worker and the aggregator share the secret that the worker's id is derived from; a client says its own with all that it
/// asks; a fetcher and a decoder share one that follows from the decoder's, which the aggregator tells the fetcher.
public struct LaneSecret: Hashable, Sendable {
  public let high: UInt64
  public let low: UInt64

  /// That of a lane between roles of one process.
  public static let none = LaneSecret(high: 0, low: 0)

  public init(high: UInt64, low: UInt64) {
    (self.high, self.low) = (high, low)
  }

  public init(_ random: Randomness) {
    self.init(high: random.bits(), low: random.bits())
  }

  /// What the owner of this secret and the other worker share. The other cannot tell this secret from it.
  public func shared(with other: WorkerID) -> LaneSecret {
    LaneSecret(
      high: bits(of: [other.uuid.high, other.uuid.low, 1]),
      low: bits(of: [other.uuid.high, other.uuid.low, 2]))
  }

  /// A value that only holders of the secret can compute, and from which the secret cannot be found.
  fileprivate func bits(of words: [UInt64]) -> UInt64 {
    KeyedHash.bits(of: words, keyHigh: high, keyLow: low)
  }
}

extension WorkerID {
  /// The id of the one worker that knows the secret.
  public init(at moment: Moment, provenBy secret: LaneSecret) {
    let time = UUIDv7(at: moment, uniqueHigh: 0, uniqueLow: 0).high
    self = Self.proven(time: time, by: secret)
  }

  /// Whether this is the id of the worker that knows the secret.
  public func isProven(by secret: LaneSecret) -> Bool {
    self == Self.proven(time: uuid.high & ~0xFFF, by: secret)
  }

  private static func proven(time: UInt64, by secret: LaneSecret) -> WorkerID {
    let (high, low) = (secret.bits(of: [time, 1]), secret.bits(of: [time, 2]))
    return WorkerID(
      UUIDv7(high: time | high & 0xFFF, low: 0x8000_0000_0000_0000 | low & 0x3FFF_FFFF_FFFF_FFFF))
  }
}

/// What the sender of a frame may say.
public struct LaneRights: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Submits, asks, cancels, and reads rows.
  public static let client = LaneRights(rawValue: 1)
  /// Works as a fetcher, and so receives the fleet's headers, cookies and passwords.
  public static let fetcher = LaneRights(rawValue: 2)
  /// Works as a decoder.
  public static let decoder = LaneRights(rawValue: 4)
  /// Gives out jobs and answers.
  public static let aggregator = LaneRights(rawValue: 8)
  public static let all: LaneRights = [.client, .fetcher, .decoder, .aggregator]

  /// What a worker of this role needs.
  public static func work(as role: Role) -> LaneRights? {
    switch role {
    case .fetcher: .fetcher
    case .decoder: .decoder
    case .producer, .aggregator: nil
    }
  }
}

/// SipHash-2-4 of some words: who does not have the key can neither guess what it gives, nor tell it from random bits, nor
/// find the key in it. It is cheap enough for each lease and each message.
struct KeyedHash {
  private var (one, two, three, four): (UInt64, UInt64, UInt64, UInt64)

  static func bits(of word: UInt64, keyHigh high: UInt64, keyLow low: UInt64) -> UInt64 {
    bits(of: CollectionOfOne(word), keyHigh: high, keyLow: low)
  }

  static func bits(of words: some Collection<UInt64>, keyHigh high: UInt64, keyLow low: UInt64) -> UInt64 {
    var hash = KeyedHash(high, low)
    for word in words { hash.mix(in: word) }
    // So many bytes, in the highest one.
    hash.mix(in: UInt64(words.count * 8) << 56)
    hash.three ^= 0xFF
    for _ in 0..<4 { hash.turn() }
    return hash.one ^ hash.two ^ hash.three ^ hash.four
  }

  private init(_ high: UInt64, _ low: UInt64) {
    (one, two) = (low ^ 0x736F_6D65_7073_6575, high ^ 0x646F_7261_6E64_6F6D)
    (three, four) = (low ^ 0x6C79_6765_6E65_7261, high ^ 0x7465_6462_7974_6573)
  }

  private mutating func mix(in word: UInt64) {
    four ^= word
    for _ in 0..<2 { turn() }
    one ^= word
  }

  private mutating func turn() {
    one &+= two
    two = Self.turned(two, left: 13) ^ one
    one = Self.turned(one, left: 32)
    three &+= four
    four = Self.turned(four, left: 16) ^ three
    one &+= four
    four = Self.turned(four, left: 21) ^ one
    three &+= two
    two = Self.turned(two, left: 17) ^ three
    three = Self.turned(three, left: 32)
  }

  private static func turned(_ word: UInt64, left count: UInt64) -> UInt64 {
    word &<< count | word &>> (64 - count)
  }
}

/// Seals lease tokens: 64 bits beside the sequence that nobody can guess who was not given the lease of that job. They follow
/// from a key in the ledger, so no seal has to be stored, and an aggregator that starts again knows them all.
public struct LeaseKey: Hashable, Sendable {
  private let high: UInt64
  private let low: UInt64

  public init(high: UInt64, low: UInt64) {
    (self.high, self.low) = (high, low)
  }

  public func token(_ sequence: UInt64, of job: JobID) -> LeaseToken {
    let words = [sequence, job.uuid.high, job.uuid.low]
    return LeaseToken(sequence, seal: KeyedHash.bits(of: words, keyHigh: high, keyLow: low))
  }

  /// Tells ledgers apart, and tells nothing of the key.
  public var lineage: UInt64 { KeyedHash.bits(of: .max, keyHigh: high, keyLow: low) }

  public func isGenuine(_ token: LeaseToken, of job: JobID) -> Bool {
    self.token(token.value, of: job) == token
  }
}

/// The key in a fleet's run directory, which every process of its user can read but a decoder in its sandbox. Who has read
/// it makes secrets that show it, and may fetch and ask; the others may only decode.
public struct RunKey: Hashable, Sendable {
  private let high: UInt64
  private let low: UInt64

  public init(high: UInt64, low: UInt64) {
    (self.high, self.low) = (high, low)
  }

  public init(_ random: Randomness) {
    (high, low) = (random.bits(), random.bits())
  }

  /// As it stands in its file, the first bits first.
  public var bytes: [UInt8] {
    [high, low].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) } }
  }

  /// nil unless there are 16.
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 16 else { return nil }
    let words = [bytes.prefix(8), bytes.dropFirst(8).prefix(8)].map {
      $0.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }
    self.init(high: words[0], low: words[1])
  }

  /// A new secret of which half is random and half shows this key.
  public func secret(_ random: Randomness) -> LaneSecret {
    let nonce = random.bits()
    return LaneSecret(high: nonce, low: seal(of: nonce))
  }

  public func hasMade(_ secret: LaneSecret) -> Bool { secret.low == seal(of: secret.high) }

  private func seal(of nonce: UInt64) -> UInt64 { KeyedHash.bits(of: nonce, keyHigh: high, keyLow: low) }
}
