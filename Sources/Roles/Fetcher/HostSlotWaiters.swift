import Pipeline
import Scheduling

/// The slots that a fetcher's walks asked for at other hosts: waited for, and granted. Asks again until it is answered.
struct HostSlotWaiters {
  private struct Waiting {
    var request: HostSlotRequest
    var deadline: Moment?
    var askedAt: Moment
    var continuation: CheckedContinuation<HostSlotAnswer, Never>
  }

  private var waiting: [LeaseToken: Waiting] = [:]
  private var granted: [LeaseToken: HostSlotRequest] = [:]
  /// When to look again; nil when no walk waits.
  private(set) var nextLook: Moment?

  mutating func add(
    _ request: HostSlotRequest, until deadline: Moment?, at now: Moment,
    _ continuation: CheckedContinuation<HostSlotAnswer, Never>
  ) {
    granted[request.token] = nil
    waiting[request.token] = Waiting(
      request: request, deadline: deadline, askedAt: now, continuation: continuation)
    let again = now.advanced(byMilliseconds: Heartbeat.resendMilliseconds)
    nextLook = min(nextLook ?? again, min(deadline ?? again, again))
  }

  mutating func received(_ grant: HostSlotGrant) {
    guard let entry = waiting[grant.token], entry.request.number == grant.number else { return }
    waiting[grant.token] = nil
    if let refusal = grant.refusal { return entry.continuation.resume(returning: .refused(refusal)) }
    granted[grant.token] = entry.request
    entry.continuation.resume(returning: .granted)
  }

  mutating func cancelled(_ token: LeaseToken) {
    waiting.removeValue(forKey: token)?.continuation.resume(returning: .cancelled)
  }

  mutating func cancelAll() {
    for token in waiting.keys.sorted() { cancelled(token) }
  }

  /// The walk has come to its end.
  mutating func ended(_ token: LeaseToken) {
    if !granted.isEmpty { granted[token] = nil }
  }

  /// Lets those go whose deadline has come.
  ///
  /// - Returns: What is to be asked again.
  mutating func look(at now: Moment) -> [HostSlotRequest] {
    guard let nextLook, nextLook <= now else { return [] }
    let due = now.advanced(byMilliseconds: -Heartbeat.resendMilliseconds)
    var again: [HostSlotRequest] = []
    var next: Moment?
    for (token, entry) in waiting.inOrder {
      if let deadline = entry.deadline, deadline <= now {
        waiting.removeValue(forKey: token)?.continuation.resume(returning: .tooLate)
        continue
      }
      if entry.askedAt <= due {
        again.append(entry.request)
        waiting[token]?.askedAt = now
      }
      let look = (waiting[token] ?? entry).askedAt.advanced(byMilliseconds: Heartbeat.resendMilliseconds)
      next = min(next ?? look, min(entry.deadline ?? look, look))
    }
    self.nextLook = next
    return again
  }

  /// What a new aggregator has to know of the walks that an earlier one let go.
  var underWay: [HostSlotRequest] {
    granted.inOrder.map { _, request in
      var request = request
      request.isUnderWay = true
      return request
    }
  }
}
