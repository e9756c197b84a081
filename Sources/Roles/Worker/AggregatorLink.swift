import Pipeline
import Scheduling

/// A worker's side of its lane to the aggregator: HELLOs, and results that are kept until they are acknowledged.
final class AggregatorLink {
  private let outbox: Outbox
  private let clock: any PipelineClock
  private let executor: (any TaskExecutor)?
  private var unacknowledged: [LeaseToken: (result: JobResult, sentAt: Moment)] = [:]
  private(set) var nextHello: Moment

  private init(to outlet: any Outlet, ports: RolePorts) {
    outbox = Outbox(outlet, ports: ports)
    clock = ports.clock
    executor = ports.executor
    nextHello = ports.clock.now
  }

  /// Connects to the aggregator; `inbox` receives the events of the lane.
  static func connect(
    _ identity: WorkerIdentity, ports: RolePorts, notifying inbox: any Inbox
  ) async throws -> AggregatorLink {
    let outlet = try await ports.transport.connect(to: identity.aggregator, notifying: inbox)
    return AggregatorLink(to: outlet, ports: ports)
  }

  /// Tokens of results that may not have arrived.
  var unacknowledgedTokens: [LeaseToken] { unacknowledged.keys.sorted() }

  func add(_ message: Message) {
    outbox.add(message)
  }

  func add(_ result: JobResult) {
    unacknowledged[result.lease.token] = (result, clock.now)
    outbox.add(.result(result))
  }

  /// The next HELLO comes at once: something has changed that the aggregator should know.
  func hurry() {
    nextHello = clock.now
  }

  /// What was said before is not on its way yet: to repeat it would only make the queue longer.
  var isHeldUp: Bool { outbox.isSending }

  func receiverSpoke() {
    outbox.receiverSpoke()
  }

  /// Says good-bye, and returns when that is on its way.
  func end(_ worker: WorkerID) async {
    outbox.add(.bye(Bye(worker: worker)))
    // The aggregator may be gone.
    let deadline = Task(executorPreference: executor) { [outbox, clock] in
      try await clock.sleep(until: clock.now.advanced(byMilliseconds: Heartbeat.farewellMilliseconds))
      await outbox.close()
    }
    await outbox.flushed()
    deadline.cancel()
    await outbox.close()
  }

  func acknowledged(_ tokens: [LeaseToken]) {
    for token in tokens { unacknowledged[token] = nil }
  }

  /// Says hello and repeats overdue results, when it is time to.
  func sayHello(_ hello: () -> Hello) {
    let now = clock.now
    guard now >= nextHello else { return }
    nextHello = now.advanced(byMilliseconds: Heartbeat.helloMilliseconds)
    let isHeldUp = isHeldUp
    outbox.add(latest: hello())
    guard !isHeldUp else { return }
    let due = now.advanced(byMilliseconds: -Heartbeat.resendMilliseconds)
    for (token, entry) in unacknowledged.inOrder where entry.sentAt <= due {
      outbox.add(.result(entry.result))
      unacknowledged[token]?.sentAt = now
    }
  }

  func flush() {
    outbox.flush()
  }
}
