/// What a ledger keeps of a job beside the job itself, and what each change makes of it: the same for every ledger. A pure
/// value.
public struct JobState: Hashable, Sendable {
  public var life: JobLife
  /// When its last attempt began, and at which worker. nil before the first, and after one that was not charged. The
  /// worker is also nil after an attempt that is among the past ones.
  public var grantedAt: Moment?
  public var worker: WorkerID?
  /// nil while it is not over.
  public var endedAt: Moment?
  /// Of a job that is not over.
  public var deadline: Moment?

  public init(_ life: JobLife, deadline: Moment?) {
    (self.life, self.deadline) = (life, deadline)
  }

  /// What follows of a change for all else that is kept of the job.
  public enum Effect: Sendable {
    case nothing
    /// An attempt is over, and is not the last.
    case attempted(PastAttempt)
    /// The death that was noted last was none.
    case forgetsDeath
    /// It has its row now.
    case over(Settlement)
    /// Its row and its attempts go.
    case anew
  }

  /// - Parameter kind: nil when it cannot be read; such a job has no other life.
  /// - Returns: nil when the change came too late, and nothing is changed.
  public mutating func take(_ event: JobChange.Event, kind: JobKind?, at now: Moment) -> Effect? {
    switch event {
    case .granted(let lease, to: let worker):
      guard life.granted(lease) else { return nil }
      (grantedAt, self.worker) = (now, worker)
    case .ended(let settlement): return ended(settlement, at: now)
    case .failedForNow(let token, until: let moment, let failure):
      guard life.failedForNow(under: token, retryAt: moment) else { return nil }
      return attempted(failure, next: moment, at: now)
    case .becameDue: return life.becameDue() ? .nothing : nil
    case .returned(let token):
      guard life.returned(under: token) else { return nil }
      (grantedAt, worker) = (nil, nil)
    case .crashed(let token):
      return life.crashed(under: token) ? attempted(nil, next: nil, at: now) : nil
    case .absolved(from: let crashes): return life.absolved(from: crashes) ? .forgetsDeath : nil
    case .requeued:
      guard let kind, life.requeued(to: JobLife(waiting: kind == .run)) else { return nil }
      (grantedAt, worker, endedAt, deadline) = (nil, nil, nil, nil)
      return .anew
    }
    return .nothing
  }

  /// Whose lease it was is kept, but not of one that it had before.
  private mutating func ended(_ settlement: Settlement, at now: Moment) -> Effect? {
    if let lease = settlement.lease {
      let isLate = life.state != .leased(lease.token.unsealed)
      guard life.ended(settlement.end, under: lease) else { return nil }
      if isLate { (grantedAt, worker) = (nil, nil) }
    } else {
      guard life.ended(settlement.end) else { return nil }
    }
    (endedAt, deadline) = (now, nil)
    return .over(settlement)
  }

  private mutating func attempted(_ failure: Failure?, next moment: Moment?, at now: Moment) -> Effect {
    var attempt = PastAttempt(attempt: life.attempts, endedAt: now, failure: failure)
    (attempt.grantedAt, attempt.worker, attempt.nextAt) = (grantedAt, worker, moment)
    worker = nil
    return .attempted(attempt)
  }
}
