package import Pipeline

/// A worker's side of its lane to the aggregator: HELLOs, results that are kept until they are acknowledged, and its end.
final class AggregatorLink {
  let identity: WorkerIdentity
  let inbox: any Inbox
  private let ports: RolePorts
  /// nil before it is connected.
  private var outbox: Outbox?
  private var contact: FleetContact?
  private var unacknowledged: [LeaseToken: (result: JobResult, sentAt: Moment)] = [:]
  private(set) var nextHello = Moment(unixMilliseconds: 0)
  private var isHelloSoon = false
  /// Messages that came to the worker, of all kinds.
  var messages: UInt64 = 0
  /// The worker takes nothing new, and ends when it has nothing left.
  private(set) var isDraining = false

  /// - Parameter inbox: The worker's, bound already.
  init(_ identity: WorkerIdentity, _ inbox: any Inbox, ports: RolePorts) {
    (self.identity, self.inbox, self.ports) = (identity, inbox, ports)
  }

  private var clock: any PipelineClock { ports.clock }

  /// Connects to the aggregator; the inbox receives the events of the lane.
  func connect() async throws {
    outbox = try await .connect(
      to: identity.aggregator, notifying: inbox, ports, secret: identity.secret)
    nextHello = clock.now
    contact = FleetContact(at: nextHello)
    ports.meter?.reaches(no: identity.aggregator)
  }

  /// What all workers say of themselves.
  ///
  /// - Parameter held: Tokens that it answers for, besides those of results that may not have arrived.
  func hello(as role: Role, held: [LeaseToken] = []) -> Hello {
    var hello = Hello(
      worker: identity.worker, role: role, locality: identity.locality, address: inbox.address, granted: 0,
      received: 0, held: held + unacknowledged.keys.sorted(), messages: messages)
    (hello.program, hello.sandbox) = (identity.program, identity.sandbox)
    return hello
  }

  func add(_ message: Message) {
    outbox?.add(message)
  }

  func add(_ result: JobResult) {
    unacknowledged[result.lease.token] = (result, clock.now)
    outbox?.add(.result(result))
  }

  /// - Parameter jobs: How many the worker has.
  func drain(holding jobs: Int) async {
    guard !isDraining else { return }
    isDraining = true
    ports.log.record(.info, "finishes what it has, and ends", [LogField("jobs", jobs)])
    sayLeaving()
    // Wakes the worker's loop, which may be waiting for a message.
    await inbox.note(LaneNotice(address: inbox.address, isUp: true))
  }

  /// Says that the worker takes nothing new, and again with each HELLO: the lane may be cut meanwhile.
  private func sayLeaving() {
    outbox?.add(.giveBack(GiveBack(from: identity.worker, tokens: [], reason: .draining)))
  }

  /// The next HELLO comes at once: something has changed that the aggregator should know.
  func hurry() {
    nextHello = clock.now
  }

  /// A lane went up or down. What was said before it was up may be lost.
  ///
  /// - Returns: Whether it is this one.
  func take(_ notice: LaneNotice) -> Bool {
    guard notice.address == identity.aggregator else { return false }
    if notice.isUp { hurry() }
    ports.meter?.reaches(no: notice.isUp ? nil : identity.aggregator)
    tell(contact?.lane(isUp: notice.isUp, at: clock.now))
    return true
  }

  private func tell(_ news: FleetContact.News?) {
    news?.tell(ports.log, of: identity.aggregator, refusal: outbox?.outlet.refusal)
  }

  /// Jobs have come: the next HELLO tells soon which of them only wait for their servers.
  func sayHelloSoon() {
    guard !isHelloSoon else { return }
    isHelloSoon = true
    nextHello = min(nextHello, clock.now.advanced(byMilliseconds: Heartbeat.confirmationMilliseconds))
  }

  /// What was said before is not on its way yet: to repeat it would only make the queue longer.
  var isHeldUp: Bool { outbox?.isSending == true }

  func receiverSpoke() {
    outbox?.outlet.receiverSpoke()
  }

  /// Says good-bye, and returns when that is on its way.
  func end() async {
    guard let outbox else { return }
    outbox.add(.bye(Bye(worker: identity.worker)))
    // The aggregator may be gone.
    let deadline = Task(executorPreference: ports.executor) { [clock] in
      try await clock.sleep(until: clock.now.advanced(byMilliseconds: Heartbeat.farewellMilliseconds))
      await outbox.outlet.close()
    }
    await outbox.flushed()
    deadline.cancel()
    await outbox.outlet.close()
    ports.log.record(.info, "has finished what it had", [])
  }

  func acknowledged(_ tokens: [LeaseToken]) {
    for token in tokens { unacknowledged[token] = nil }
  }

  /// Says hello and repeats overdue results, when it is time to.
  func sayHello(_ hello: () -> Hello) {
    let now = clock.now
    guard now >= nextHello else { return }
    tell(contact?.passed(at: now))
    nextHello = now.advanced(byMilliseconds: Heartbeat.helloMilliseconds)
    isHelloSoon = false
    let isHeldUp = isHeldUp
    outbox?.add(latest: hello())
    guard !isHeldUp else { return }
    if isDraining { sayLeaving() }
    let due = now.advanced(byMilliseconds: -Heartbeat.resendMilliseconds)
    for (token, entry) in unacknowledged.inOrder where entry.sentAt <= due {
      outbox?.add(.result(entry.result))
      unacknowledged[token]?.sentAt = now
    }
  }

  func flush() {
    outbox?.flush()
  }
}

extension FleetContact.News {
  /// - Parameter refusal: Why the aggregator does not let this process in; nil when it says nothing.
  package func tell(_ log: any Log, of address: Address, refusal: String?) {
    let fields = [LogField("address", address)]
    switch self {
    case .unreached(let milliseconds):
      let cause = LogField("cause", refusal ?? "nothing answers there")
      log.record(
        .warning, "the fleet is out of reach", fields + [LogField("seconds", milliseconds / 1_000), cause])
    case .lost: log.record(.warning, "the lane to the fleet is down; what is under way goes on", fields)
    case .reached(let milliseconds):
      log.record(.warning, "the fleet is reached", fields + [LogField("seconds", milliseconds / 1_000)])
    }
  }
}

/// Who a worker is and whom it works for.
package struct WorkerIdentity: Sendable {
  package let worker: WorkerID
  /// What its id is derived from; only the aggregator is told it.
  package let secret: LaneSecret
  /// The host or pod it runs on.
  package var locality: String
  package var aggregator: Address
  /// What it is, which must be what the rest of its fleet is; nil in a process of its own.
  package var program: WorkerProgram?
  /// Of a decoder.
  package var sandbox: WorkerSandbox?

  /// - Parameter moment: When the process started.
  package init(
    at moment: Moment, secret: LaneSecret, locality: String, aggregator: Address,
    program: WorkerProgram? = nil
  ) {
    worker = WorkerID(at: moment, provenBy: secret)
    self.secret = secret
    self.locality = locality
    self.aggregator = aggregator
    self.program = program
  }
}

/// The ports every role needs.
package struct RolePorts: Sendable {
  package var transport: any Transport
  package var clock: any PipelineClock
  package var random: Randomness
  /// What this process says as a client, so that only the aggregator can answer it.
  package var secret = LaneSecret.none
  package var log: any Log
  /// Where the roles' tasks run: on the thread that fetches, a message from one role to the next wakes no other thread.
  /// nil for the pool.
  package var executor: (any TaskExecutor)?
  /// Told what a worker does; nil when no one asks.
  package var meter: StageMeter?
  /// Where an aggregator shows what it measures; nil when no one asks.
  package var board: MetricsBoard?

  package init(
    transport: any Transport, clock: any PipelineClock, random: Randomness, log: any Log = NoLog(),
    executor: (any TaskExecutor)? = nil
  ) {
    self.transport = transport
    self.clock = clock
    self.random = random
    self.log = log
    self.executor = executor
  }
}
