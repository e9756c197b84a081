import Links
import Pipeline

/// Gets a walk a slot at another host.
protocol HostSlotSource: Sendable {
  /// - Parameter deadline: The job's own; nil for none.
  func pass(_ token: LeaseToken, to host: String, number: UInt32, until deadline: Moment?) async
    -> HostSlotAnswer
}

enum HostSlotAnswer: Sendable {
  case granted
  case refused(Failure)
  /// The job's deadline came first.
  case tooLate
  case cancelled
}

/// Holds a walk up before each host that it has no slot of.
struct HostGate {
  /// nil for a walk that has no others beside it.
  let door: (any HostSlotSource)?
  let clock: any PipelineClock
  let token: LeaseToken
  /// The job's own; nil for none.
  let deadline: Moment?
  /// The host whose slot the walk has.
  private(set) var host: String
  private var asked: UInt32 = 0
  /// What requests of the walk tell about.
  var activity: FetchActivity?
  /// Time spent waiting, which is no fault of any host.
  private(set) var waitedMilliseconds: Int64 = 0

  init(_ order: JobOrder, at url: WebURL, door: (any HostSlotSource)?, clock: any PipelineClock) {
    (token, deadline) = (order.lease.token, order.job.deadline)
    (self.door, self.clock) = (door, clock)
    host = url.hostKey
  }

  /// Time that went by while another walk was at work for this one.
  mutating func waited(since start: Moment) {
    waitedMilliseconds += clock.now.milliseconds(since: start)
  }

  /// Returns when the walk may ask for the URL, or why it may not.
  mutating func pass(to url: WebURL) async -> Failure? {
    let next = url.hostKey
    guard next != host else { return nil }
    host = next
    guard let door, next.utf8.count <= HostSlotRequest.longestHost else { return nil }
    asked += 1
    let start = clock.now
    activity?.waits()
    let answer = await door.pass(token, to: next, number: asked, until: deadline)
    activity?.works()
    let waited = clock.now.milliseconds(since: start)
    waitedMilliseconds += waited
    return switch answer {
    case .granted: nil
    case .refused(let failure): failure
    case .tooLate:
      Failure(
        .deadline, at: .queue,
        "fetch \(url.href): waited \(waited) ms for its turn at \(next), until the deadline")
    case .cancelled: Failure(.cancelled, at: .queue, "fetch \(url.href): cancelled")
    }
  }
}

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
