/// The life of one job: which events may happen to it when. A pure value, which ledgers ask first.
///
///     waiting ─▶ ready ─▶ leased ─▶ done | dead | cancelled
///                  ▲         │
///                  └ scheduled (a retry's time)
///
/// A dead job can be requeued, and is ready again as if nothing had happened.
///
/// Every event is a compare-and-set: it returns false when it comes too late, and then nothing has changed.
public struct JobLife: Hashable, Sendable {
  public enum State: Hashable, Sendable {
    /// Other jobs must be done first.
    case waiting
    case ready
    case leased(LeaseToken)
    case scheduled(Moment)
    case over(End)
  }

  public enum End: UInt8, Codable, Sendable {
    case done = 1
    case dead = 2
    case cancelled = 3
  }

  /// A job that so many workers died on is not tried again.
  public static let crashesUntilPoisoned: UInt8 = 3

  public private(set) var state: State
  /// Attempts that were charged.
  public private(set) var attempts: UInt16
  /// Workers that died while they can have been on this job.
  public private(set) var crashes: UInt8

  public init(waiting: Bool = false) {
    self.init(state: waiting ? .waiting : .ready, attempts: 0, crashes: 0)
  }

  /// A life as it was stored.
  public init(state: State, attempts: UInt16, crashes: UInt8) {
    self.state = state
    self.attempts = attempts
    self.crashes = crashes
  }

  /// nil while it is not over.
  public var end: End? { if case .over(let end) = state { end } else { nil } }
  public var isOver: Bool { end != nil }

  /// The same grant again changes nothing and is as good: it is repeated when it is unknown how a commit ended.
  public mutating func granted(_ lease: Lease) -> Bool {
    guard state != .leased(lease.token.unsealed) else { return true }
    guard case .ready = state, lease.attempt == attempts &+ 1 else { return false }
    state = .leased(lease.token.unsealed)
    attempts = lease.attempt
    return true
  }

  /// A worker's final word. A success of an earlier attempt is as good as one of the current; a failure counts
  /// only from the worker that holds the lease.
  public mutating func ended(_ end: End, under lease: Lease) -> Bool {
    switch (state, end) {
    case (.leased(let token), _) where token == lease.token.unsealed: break
    case (.leased, .done) where lease.attempt <= attempts: break
    case (.ready, .done) where lease.attempt <= attempts: break
    case (.scheduled, .done) where lease.attempt <= attempts: break
    case (.waiting, _), (.ready, _), (.leased, _), (.scheduled, _), (.over, _): return false
    }
    state = .over(end)
    return true
  }

  /// Our own decision to end it: refused input, cancellation, deadline.
  public mutating func ended(_ end: End) -> Bool {
    guard !isOver else { return false }
    state = .over(end)
    return true
  }

  public mutating func failedForNow(under token: LeaseToken, retryAt moment: Moment) -> Bool {
    guard state == .leased(token.unsealed) else { return false }
    state = .scheduled(moment)
    return true
  }

  public mutating func becameDue() -> Bool {
    guard case .scheduled = state else { return false }
    state = .ready
    return true
  }

  /// Handed back undone: the attempt is not charged.
  public mutating func returned(under token: LeaseToken) -> Bool {
    guard state == .leased(token.unsealed) else { return false }
    state = .ready
    attempts = attempts == 0 ? 0 : attempts - 1
    return true
  }

  /// The worker died while it can have been on this job.
  public mutating func crashed(under token: LeaseToken) -> Bool {
    guard state == .leased(token.unsealed) else { return false }
    state = .ready
    crashes = crashes == .max ? .max : crashes + 1
    return true
  }

  /// One of its crashes was none, and the attempt is not charged.
  public mutating func absolved(from crashes: UInt8) -> Bool {
    guard !isOver, crashes > 0, self.crashes == crashes else { return false }
    self.crashes -= 1
    attempts = attempts == 0 ? 0 : attempts - 1
    return true
  }

  /// A dead letter gets another life.
  ///
  /// The attempts of what waits are its former lives: it is told apart by them what was made for each.
  ///
  /// - Parameter life: What such a job begins with.
  public mutating func requeued(to life: JobLife = JobLife()) -> Bool {
    guard state == .over(.dead) else { return false }
    let lives = attempts == .max ? attempts : attempts + 1
    self = life
    if case .waiting = state { attempts = lives }
    return true
  }
}
