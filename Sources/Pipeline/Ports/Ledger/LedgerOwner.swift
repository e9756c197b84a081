/// The time for which one aggregator owns a ledger. The epoch alone does not name it: a database that lost its last commits
/// can give the same one again.
public struct LedgerTerm: Hashable, Sendable {
  /// Grows with each takeover.
  public let epoch: UInt64
  /// Random, of one incarnation of a process.
  public let holder: UUIDv7

  public init(epoch: UInt64, holder: UUIDv7) {
    (self.epoch, self.holder) = (epoch, holder)
  }

  /// Of a ledger that no aggregator has owned yet.
  public static let none = LedgerTerm(epoch: 0, holder: nobody)
  fileprivate static let nobody = UUIDv7(high: 0, low: 0)
}

/// Who owns a ledger: one aggregator at a time. What another one commits, or one whose term is over, is refused. A pure
/// value.
public struct LedgerOwner: Hashable, Sendable {
  public private(set) var term: LedgerTerm
  /// When it last said that it is there; nil before the first owner.
  public private(set) var renewedAt: Moment?

  public init(_ term: LedgerTerm = .none, renewedAt: Moment? = nil) {
    (self.term, self.renewedAt) = (term, renewedAt)
  }

  /// Throws when it is not, or no longer, the owner's term.
  ///
  /// - Parameter action: What is refused, and where.
  public func check(_ term: LedgerTerm, _ action: @autoclosure () -> String) throws(LedgerError) {
    guard term != self.term else { return }
    throw LedgerError(
      "\(action()): another aggregator has taken it over, in epoch \(self.term.epoch) after \(term.epoch); this one must end",
      kind: .fenced)
  }

  /// Ends the term of whoever owns it.
  public mutating func takeOver(as holder: UUIDv7, at now: Moment) {
    self = LedgerOwner(LedgerTerm(epoch: term.epoch + 1, holder: holder), renewedAt: now)
  }

  public mutating func renew(at now: Moment) { renewedAt = now }

  public mutating func resign() { term = LedgerTerm(epoch: term.epoch, holder: LedgerTerm.nobody) }
}

/// What outlives an aggregator beside batches and jobs, and what the next one finds of the time between.
public struct Inheritance: Sendable {
  /// Under which it commits from now on.
  public let term: LedgerTerm
  /// The greatest token that was ever granted, so that greater ones are granted from now on; 0 when there was none.
  public let lastToken: LeaseToken
  /// What lease tokens are sealed with: random, and the same as long as the ledger is there.
  public let leaseKey: LeaseKey
  /// When each worker spoke last; those that have been silent for a day are left out.
  public let lastSeen: [WorkerID: Moment]
  public var retention = Retention()
  /// The gap that ends now; nil after a restart.
  public var gap: ClockGap?
  /// Retries that a clock of before had put off for longer than any pause lasts: they are due within one.
  public var shortenedPauses = 0

  public init(
    _ term: LedgerTerm, lastToken: LeaseToken, leaseKey: LeaseKey, lastSeen: [WorkerID: Moment]
  ) {
    (self.term, self.lastToken, self.leaseKey) = (term, lastToken, leaseKey)
    let oldest = lastSeen.values.max()?.advanced(byMilliseconds: -Changes.unseenWorkersKeptMilliseconds)
    self.lastSeen = lastSeen.filter { worker in oldest.map { worker.value >= $0 } ?? false }
  }
}
