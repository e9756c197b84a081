import Pipeline

/// Walks that a redirect has led to another host than their link's, by lease: whether they wait there, or have a slot.
/// A pure value.
struct Visits: Sendable {
  struct Visit: Sendable {
    enum State: Sendable {
      case waiting
      case going
      /// The host may not be asked.
      case refused(Failure)
    }

    var number: UInt32
    var host: String
    var fetcher: WorkerID
    var state = State.waiting
  }

  private var visits: [LeaseToken: Visit] = [:]

  var count: Int { visits.count }

  subscript(token: LeaseToken) -> Visit? { visits.isEmpty ? nil : visits[token] }

  /// - Returns: False for one that came before, or is older than one that did.
  mutating func began(_ visit: Visit, under token: LeaseToken) -> Bool {
    if let known = visits[token], known.number >= visit.number { return false }
    visits[token] = visit
    return true
  }

  mutating func became(_ state: Visit.State, under token: LeaseToken) {
    visits[token]?.state = state
  }

  mutating func ended(_ token: LeaseToken) {
    if !visits.isEmpty { visits[token] = nil }
  }

  /// The host of which a job has a slot; nil while it waits for one.
  func slot(under token: LeaseToken, of linkHost: String) -> String? {
    guard let visit = self[token] else { return linkHost }
    guard case .going = visit.state else { return nil }
    return visit.host
  }
}
