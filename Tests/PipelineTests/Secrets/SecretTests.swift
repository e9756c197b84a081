import Testing

@testable import Pipeline

struct SecretTests {
  private let moment = Moment(unixMilliseconds: 1_700_000_000_000)
  private let secret = LaneSecret(high: 7, low: 9)

  /// The test vectors of its authors: none, the ninth and the seventeenth.
  @Test(
    arguments: [
      ([], 0x726F_DB47_DD0E_0E31), ([0x0706_0504_0302_0100], 0x93F5_F579_9A93_2462),
      ([0x0706_0504_0302_0100, 0x0F0E_0D0C_0B0A_0908], 0x3F2A_CC7F_57C2_9BDB),
    ] as [([UInt64], UInt64)])
  func `the hash with a key is SipHash`(words: [UInt64], hash: UInt64) {
    let (high, low) = (0x0F0E_0D0C_0B0A_0908, 0x0706_0504_0302_0100) as (UInt64, UInt64)
    #expect(KeyedHash.bits(of: words, keyHigh: high, keyLow: low) == hash)
  }

  @Test func `an id is proven by its own secret alone`() {
    let id = WorkerID(at: moment, provenBy: secret)
    #expect(id.isProven(by: secret))
    #expect(!id.isProven(by: LaneSecret(high: 7, low: 8)))
    #expect(!WorkerID(UUIDv7(high: id.uuid.high, low: id.uuid.low ^ 1)).isProven(by: secret))
    #expect(!WorkerID(UUIDv7(high: id.uuid.high ^ 1 << 16, low: id.uuid.low)).isProven(by: secret))
  }

  @Test func `an id begins with its time, as others do`() {
    let id = WorkerID(at: moment, provenBy: secret)
    #expect(id.uuid.high >> 16 == 1_700_000_000_000)
    #expect(id.uuid.high >> 12 & 0xF == 7 && id.uuid.low >> 62 == 2)
  }

  @Test func `each pair of workers shares another secret`() {
    let ids = (1...50).map { WorkerID(UUIDv7(high: 1, low: $0)) }
    #expect(Set(ids.map { secret.shared(with: $0) } + [secret]).count == 51)
  }

  @Test func `the seal of a lease cannot be had from another one`() {
    let key = LeaseKey(high: 1, low: 2)
    let (job, other) = (JobID(UUIDv7(high: 3, low: 0)), JobID(UUIDv7(high: 3, low: 1)))
    let seals = Set((1...1_000).flatMap { [key.token($0, of: job).seal, key.token($0, of: other).seal] })
    #expect(seals.count == 2_000)
    let token = key.token(5, of: job)
    #expect(key.isGenuine(token, of: job) && !key.isGenuine(token, of: other))
    #expect(!key.isGenuine(LeaseToken(5), of: job))
    #expect(!key.isGenuine(LeaseToken(6, seal: token.seal), of: job))
    #expect(LeaseKey(high: 1, low: 3).token(5, of: job) != token)
  }

  @Test func `a secret shows the key that it was made with`() {
    let key = RunKey(high: 3, low: 4)
    let random = Randomness { 11 }
    #expect(key.hasMade(key.secret(random)))
    #expect(!RunKey(high: 3, low: 5).hasMade(key.secret(random)))
    #expect(!key.hasMade(LaneSecret(random)) && !key.hasMade(.none))
  }
}
