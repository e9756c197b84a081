import Pages
package import Pipeline

/// All parsing of hostile bytes: takes documents as its credit allows, and sends a result for each.
package actor Decoder {
  private let ports: RolePorts
  private let reader: DocumentReader
  /// Documents each fetcher may have waiting here.
  private let window: Int
  private let reading: @Sendable (Document) -> Void
  private let aggregatorLink: AggregatorLink
  private var fetchers: [WorkerID: FetcherLane] = [:]
  private var strays = StrayMessages()
  /// What came and was not looked at yet.
  private var unread = FIFO<Delivery>()
  /// The aggregator wanted it to drain.
  package private(set) var wasToldToEnd = false

  private static let longBodyBytes = 512 << 10
  /// After so long it sends HELLOs, results and credit before it reads the rest of a burst.
  private static let turnMilliseconds: Int64 = 100
  /// What a message takes to leave this process.
  private static let wireMilliseconds: Int64 = 2

  private final class FetcherLane {
    let outbox: Outbox
    var credit: LaneReceiver
    var finished: [LeaseToken] = []

    init(over outbox: Outbox, credit: LaneReceiver) {
      (self.outbox, self.credit) = (outbox, credit)
    }
  }

  /// Reads what decoding takes from files, once for the process.
  package static func loadTables() { Charset.loadTables() }

  /// - Parameters:
  ///   - inbox: Bound already, so that nothing sent to it is lost.
  ///   - reading: Told of each document before it is read.
  package init(
    identity: WorkerIdentity, inbox: any Inbox, ports: RolePorts, window: Int = 64,
    reading: @escaping @Sendable (Document) -> Void = { _ in }
  ) {
    self.ports = ports
    self.window = window
    aggregatorLink = AggregatorLink(identity, inbox, ports: ports)
    self.reading = reading
    reader = DocumentReader(clock: ports.clock)
  }

  /// Works until it has drained, or its task is cancelled.
  package func run() async throws {
    try await aggregatorLink.connect()
    while true {
      aggregatorLink.sayHello {
        let hello = hello
        ports.meter?.turned(held: hello.held.count + unread.count, free: nil, at: ports.clock.now)
        return hello
      }
      flush()
      for delivery in try await nextBurst() { unread.append(delivery) }
      if aggregatorLink.isDraining, unread.isEmpty, hello.held.isEmpty { break }
      await readOn()
    }
    for (_, lane) in fetchers.inOrder { await lane.outbox.outlet.close() }
    await aggregatorLink.end()
  }

  /// Asks for no more documents and lets `run` return once those that still come are read.
  package func drain() async { await aggregatorLink.drain(holding: hello.held.count) }

  /// The inbox is asked in every turn: that is what this loop is known to live by.
  private func nextBurst() async throws -> [Delivery] {
    try await aggregatorLink.inbox.receive(
      atMost: max(1, Heartbeat.burst - unread.count), until: nextWake)
  }

  private var nextWake: Moment {
    guard unread.isEmpty else { return ports.clock.now }
    guard aggregatorLink.isDraining else { return aggregatorLink.nextHello }
    return min(
      aggregatorLink.nextHello, ports.clock.now.advanced(byMilliseconds: Heartbeat.quietMilliseconds))
  }

  private func readOn() async {
    let end = ports.clock.now.advanced(byMilliseconds: Self.turnMilliseconds)
    while let delivery = unread.popFirst() {
      switch delivery {
      case .envelope(let envelope):
        aggregatorLink.messages += 1
        await handle(envelope)
      case .lane(let notice): await take(notice)
      }
      if ports.clock.now >= end { return }
    }
  }

  private func take(_ notice: LaneNotice) async {
    _ = aggregatorLink.take(notice)
    let lane = fetchers.inOrder.first { $0.value.outbox.address == notice.address }
    guard !notice.isUp, let id = lane?.key, let gone = fetchers.removeValue(forKey: id) else { return }
    await gone.outbox.outlet.close()
    // What it had handed over is looked for; it is told once the documents of this burst are read.
    aggregatorLink.hurry()
  }

  private func handle(_ envelope: Envelope) async {
    guard comesFromItsSender(envelope) else {
      return strays.came(
        envelope.message, "message refused: it was sent in another worker's name", to: ports.log)
    }
    switch envelope.message {
    case .document(let document):
      let (token, isSuspect) = (document.order.lease.token, document.order.isSuspect)
      if isSuspect { await tell(document.sender, reading: [token]) }
      aggregatorLink.add(await read(document))
      finished(token, from: document.sender, sequence: envelope.laneSequence)
      if isSuspect, !isNextSuspect(of: document.sender) { await tell(document.sender, reading: []) }
    case .hello(let hello): await meet(hello, over: envelope.secret)
    case .ack(let ack): aggregatorLink.acknowledged(ack.tokens)
    case .drain:
      wasToldToEnd = true
      await drain()
    case .roster, .credit, .submit, .receipt, .job, .result, .giveBack, .cancel, .bye, .query, .ask, .tell,
      .answer, .hostSlotRequest, .hostSlotGrant:
      strays.came(envelope.message, "message not for a decoder", to: ports.log)
    }
  }

  /// A fetcher knows the secret that it shares with this decoder, and the aggregator the decoder's own.
  private func comesFromItsSender(_ envelope: Envelope) -> Bool {
    guard let fetcher = envelope.message.speaker else { return envelope.secret == identity.secret }
    return envelope.secret == fetchers[fetcher]?.outbox.secret ?? identity.secret.shared(with: fetcher)
  }

  /// What is told of that one tells too that this one was survived.
  private func isNextSuspect(of fetcher: WorkerID) -> Bool {
    guard case .envelope(let envelope)? = unread.first, case .document(let document) = envelope.message else {
      return false
    }
    return document.order.isSuspect && document.sender == fetcher
  }

  private func read(_ document: Document) async -> JobResult {
    reading(document)
    let start = ports.meter == nil ? 0 : ports.clock.microseconds
    let isLong = document.body.count > Self.longBodyBytes
    let result =
      isLong
      ? await reader.readOnPool(document, by: identity.worker)
      : reader.read(document, by: identity.worker)
    ports.meter?.passed(microseconds: ports.clock.microseconds - start, failed: result.failure != nil)
    return result
  }

  /// Tells a fetcher which of its suspects is being read, and lets that go out: should this or the next document be the
  /// death of this process, only the one that it was is blamed.
  private func tell(_ fetcher: WorkerID, reading suspects: [LeaseToken]) async {
    var hello = hello
    hello.executing = suspects
    fetchers[fetcher]?.outbox.add(.hello(hello))
    flush()
    let moment = ports.clock.now.advanced(byMilliseconds: Self.wireMilliseconds)
    // Cut short only when this process is to end.
    do { try await ports.clock.sleep(until: moment) } catch {}
  }

  /// A fetcher says where its inbox is, and is granted a window.
  private func meet(_ hello: Hello, over secret: LaneSecret) async {
    guard hello.role == .fetcher else { return }
    if let lane = fetchers[hello.worker], lane.outbox.address != hello.address {
      fetchers[hello.worker] = nil
      await lane.outbox.outlet.close()
    }
    if fetchers[hello.worker] == nil {
      let outbox = try? await Outbox.connect(
        to: hello.address, notifying: aggregatorLink.inbox, ports, secret: secret)
      guard let outbox else { return }
      fetchers[hello.worker] = FetcherLane(
        over: outbox, credit: LaneReceiver(window: UInt64(window), after: hello.received))
    }
    guard let lane = fetchers[hello.worker] else { return }
    lane.outbox.outlet.receiverSpoke()
    // The answer names nothing that is finished, so that is named before.
    grant(to: lane)
    lane.credit.wasSent(hello.received)
    lane.outbox.add(.credit(Credit(from: identity.worker, granted: lane.credit.granted)))
  }

  private func finished(_ token: LeaseToken, from fetcher: WorkerID, sequence: UInt64) {
    guard let lane = fetchers[fetcher] else { return }
    lane.credit.accepted(sequence: sequence)
    lane.finished.append(token)
    lane.credit.finishedOne()
  }

  private func grant(to lane: FetcherLane) {
    guard let grant = lane.credit.newGrant() else { return }
    lane.outbox.add(.credit(Credit(from: identity.worker, granted: grant, finished: lane.finished)))
    lane.finished = []
  }

  private func flush() {
    for (_, lane) in fetchers.inOrder {
      grant(to: lane)
      lane.outbox.flush()
    }
    aggregatorLink.flush()
  }

  private var hello: Hello { aggregatorLink.hello(as: .decoder) }

  private var identity: WorkerIdentity { aggregatorLink.identity }
}
