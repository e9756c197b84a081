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

  /// Whether the lease is the one that the job has.
  private func isLeased(under token: LeaseToken) -> Bool { state == .leased(token.unsealed) }

  /// - Parameter isRun: Whether its next life begins with a wait for other jobs.
  /// - Returns: False when the event came too late.
  public mutating func take(_ event: JobChange.Event, isRun: Bool = false) -> Bool {
    switch event {
    case .granted(let lease, to: _): return granted(lease)
    case .ended(let settlement): return ended(settlement.end, under: settlement.lease)
    case .failedForNow(let token, until: let moment, _):
      guard isLeased(under: token) else { return false }
      state = .scheduled(moment)
    case .becameDue:
      guard case .scheduled = state else { return false }
      state = .ready
    case .returned(let token):
      guard isLeased(under: token) else { return false }
      state = .ready
      attempts -= min(attempts, 1)
    case .crashed(let token):
      guard isLeased(under: token) else { return false }
      state = .ready
      crashes += crashes < .max ? 1 : 0
    case .absolved(from: let known):
      guard !isOver, crashes > 0, crashes == known else { return false }
      crashes -= 1
      attempts -= min(attempts, 1)
    case .requeued:
      guard state == .over(.dead) else { return false }
      // A run counts its former lives as attempts: they tell apart what was made for each.
      let lives = attempts < .max ? attempts + 1 : attempts
      self = JobLife(waiting: isRun)
      if isRun { attempts = lives }
    }
    return true
  }

  /// The same grant again changes nothing and is as good: it is repeated when it is unknown how a commit ended.
  public mutating func granted(_ lease: Lease) -> Bool {
    guard !isLeased(under: lease.token) else { return true }
    guard case .ready = state, lease.attempt == attempts &+ 1 else { return false }
    state = .leased(lease.token.unsealed)
    attempts = lease.attempt
    return true
  }

  /// A worker's final word, or without a lease our own decision: refused input, cancellation, deadline. A success of an
  /// earlier attempt is as good as one of the current; a failure counts only from the worker that holds the lease.
  public mutating func ended(_ end: End, under lease: Lease? = nil) -> Bool {
    switch state {
    case .over: return false
    case .waiting: guard lease == nil else { return false }
    case .ready, .leased, .scheduled:
      guard let lease, !isLeased(under: lease.token) else { break }
      guard end == .done, lease.attempt <= attempts else { return false }
    }
    state = .over(end)
    return true
  }
}
