import Pipeline

/// Visits of a fetcher's walks: those that wait for GO, and those that are there. Asks again until it is answered.
struct VisitDesk {
  private struct Waiting {
    var visit: Visit
    var deadline: Moment?
    var askedAt: Moment
    var continuation: CheckedContinuation<DoorAnswer, Never>
  }

  private var waiting: [LeaseToken: Waiting] = [:]
  private var going: [LeaseToken: Visit] = [:]
  /// When to look again; nil when no walk waits.
  private(set) var nextLook: Moment?

  mutating func add(
    _ visit: Visit, until deadline: Moment?, at now: Moment,
    _ continuation: CheckedContinuation<DoorAnswer, Never>
  ) {
    going[visit.token] = nil
    waiting[visit.token] = Waiting(
      visit: visit, deadline: deadline, askedAt: now, continuation: continuation)
    let again = now.advanced(byMilliseconds: Beat.resendMilliseconds)
    nextLook = min(nextLook ?? again, min(deadline ?? again, again))
  }

  mutating func received(_ go: Go) {
    guard let entry = waiting[go.token], entry.visit.number == go.number else { return }
    waiting[go.token] = nil
    if let refusal = go.refusal { return entry.continuation.resume(returning: .refused(refusal)) }
    going[go.token] = entry.visit
    entry.continuation.resume(returning: .go)
  }

  mutating func cancelled(_ token: LeaseToken) {
    waiting.removeValue(forKey: token)?.continuation.resume(returning: .cancelled)
  }

  mutating func cancelAll() {
    for token in waiting.keys.sorted() { cancelled(token) }
  }

  /// No answer will come.
  mutating func letAllGo() {
    for token in waiting.keys.sorted() {
      waiting.removeValue(forKey: token)?.continuation.resume(returning: .go)
    }
  }

  /// The walk has come to its end.
  mutating func ended(_ token: LeaseToken) {
    if !going.isEmpty { going[token] = nil }
  }

  /// Lets those go whose deadline has come.
  ///
  /// - Returns: What is to be asked again.
  mutating func look(at now: Moment) -> [Visit] {
    guard let nextLook, nextLook <= now else { return [] }
    let due = now.advanced(byMilliseconds: -Beat.resendMilliseconds)
    var again: [Visit] = []
    var next: Moment?
    for (token, entry) in waiting.inOrder {
      if let deadline = entry.deadline, deadline <= now {
        waiting.removeValue(forKey: token)?.continuation.resume(returning: .tooLate)
        continue
      }
      if entry.askedAt <= due {
        again.append(entry.visit)
        waiting[token]?.askedAt = now
      }
      let look = (waiting[token] ?? entry).askedAt.advanced(byMilliseconds: Beat.resendMilliseconds)
      next = min(next ?? look, min(entry.deadline ?? look, look))
    }
    self.nextLook = next
    return again
  }

  /// What a new aggregator has to know of the walks that an earlier one let go.
  var underWay: [Visit] {
    going.inOrder.map { _, visit in
      var visit = visit
      visit.isUnderWay = true
      return visit
    }
  }
}
