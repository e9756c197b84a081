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

  /// A new secret of which half is random and half shows this key.
  public func secret(_ random: Randomness) -> LaneSecret {
    let nonce = random.bits()
    return LaneSecret(high: nonce, low: seal(of: nonce))
  }

  public func hasMade(_ secret: LaneSecret) -> Bool { secret.low == seal(of: secret.high) }

  private func seal(of nonce: UInt64) -> UInt64 { KeyedHash.bits(of: nonce, keyHigh: high, keyLow: low) }
}
