import Pipeline

/// The slots that redirects have asked for at other hosts than their link's, by lease: whether they wait, or have one.
/// A pure value.
struct HostSlotRequests: Sendable {
  struct Request: Sendable {
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

  private var requests: [LeaseToken: Request] = [:]

  var count: Int { requests.count }

  subscript(token: LeaseToken) -> Request? { requests.isEmpty ? nil : requests[token] }

  /// - Returns: False for one that came before, or is older than one that did.
  mutating func began(_ request: Request, under token: LeaseToken) -> Bool {
    if let known = requests[token], known.number >= request.number { return false }
    requests[token] = request
    return true
  }

  mutating func became(_ state: Request.State, under token: LeaseToken) {
    requests[token]?.state = state
  }

  mutating func ended(_ token: LeaseToken) {
    if !requests.isEmpty { requests[token] = nil }
  }

  /// The host of which a job has a slot; nil while it waits for one.
  func slot(under token: LeaseToken, of linkHost: String) -> String? {
    guard let request = self[token] else { return linkHost }
    guard case .going = request.state else { return nil }
    return request.host
  }
}
