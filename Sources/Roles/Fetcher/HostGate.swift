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

/// For a walk that has no others beside it.
struct UnlimitedHostSlots: HostSlotSource {
  func pass(_ token: LeaseToken, to host: String, number: UInt32, until deadline: Moment?) async
    -> HostSlotAnswer
  {
    .granted
  }
}

/// Holds a walk up before each host that it has no slot of.
struct HostGate {
  let door: any HostSlotSource
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

  init(_ order: JobOrder, at url: WebURL, door: any HostSlotSource, clock: any PipelineClock) {
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
    guard next.utf8.count <= HostSlotRequest.longestHost else { return nil }
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
