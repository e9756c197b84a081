package import Pipeline

/// All network I/O: takes jobs as its credit allows, walks their links, hands documents downstream or results back.
package actor Fetcher {
  private let ports: RolePorts
  private let fetching: any Fetching
  private let walk: RedirectFollower
  private let aggregatorLink: AggregatorLink
  private var downstream: DecoderLanes
  private var lane: LaneReceiver
  private var running: [LeaseToken: Walk] = [:]
  private var hostSlots = HostSlotWaiters()
  private var isStopping = false
  private var strays = StrayMessages()
  private var late = StrayMessages()
  /// The aggregator wanted it to drain.
  package private(set) var wasToldToEnd = false
  private let taken: TakenOptions?
  /// The fleet has other options than it took, so it drains to be started again with them.
  package private(set) var needsOtherOptions = false

  private struct Walk {
    var task: Task<Void, Never>
    var activity: FetchActivity
    var began: Moment

    func isNew(at now: Moment) -> Bool {
      now.milliseconds(since: began) < Heartbeat.quickAnswerMilliseconds
    }
  }

  /// - Parameter inbox: Bound already, so that nothing sent to it is lost.
  package init(
    settings: FetcherSettings, identity: WorkerIdentity, inbox: any Inbox, ports: RolePorts,
    fetching: any Fetching
  ) {
    self.ports = ports
    self.fetching = fetching
    aggregatorLink = AggregatorLink(identity, inbox, ports: ports)
    taken = settings.taken
    walk = RedirectFollower(fetching: fetching, clock: ports.clock, settings: settings)
    lane = LaneReceiver(window: UInt64(settings.concurrency))
    downstream = DecoderLanes(ports: ports)
  }

  /// Works until it has drained, or its task is cancelled; what is under way then is cancelled with it.
  package func run() async throws {
    try await aggregatorLink.connect()
    do {
      while !isDrained {
        aggregatorLink.sayHello { measured(hello) }
        let isHeldUp = aggregatorLink.isHeldUp
        for request in hostSlots.look(at: ports.clock.now) where !isHeldUp {
          aggregatorLink.add(.hostSlotRequest(request))
        }
        flush()
        for delivery in try await aggregatorLink.inbox.receive(atMost: Heartbeat.burst, until: nextWake) {
          switch delivery {
          case .envelope(let envelope):
            aggregatorLink.messages += 1
            await handle(envelope)
          case .lane(let notice): await take(notice)
          }
        }
      }
    } catch {
      await stop()
      throw error
    }
    await downstream.close()
    await aggregatorLink.end()
  }

  /// Takes nothing new and lets `run` return once all it has is done or handed over.
  package func drain() async { await aggregatorLink.drain(holding: hello.held.count) }

  private var isDrained: Bool { aggregatorLink.isDraining && hello.held.isEmpty }

  private func take(_ notice: LaneNotice) async {
    if aggregatorLink.take(notice), notice.isUp {
      for request in hostSlots.underWay { aggregatorLink.add(.hostSlotRequest(request)) }
    }
    if !notice.isUp, let lost = await downstream.lost(notice.address) { giveBack(lost) }
    release(downstream.sendWaiting())
  }

  /// A decoder is gone; it can have died of this. Whether it lives, the aggregator hears.
  private func giveBack(_ suspect: DecoderLanes.Suspect) {
    aggregatorLink.add(
      .giveBack(
        GiveBack(
          from: identity.worker, tokens: [suspect.token], executing: 1, reason: .peerLost,
          peer: suspect.decoder)))
    aggregatorLink.hurry()
  }

  private func handle(_ envelope: Envelope) async {
    guard comesFromItsSender(envelope) else { return refuse(envelope) }
    switch envelope.message {
    case .job(let order):
      lane.accepted(sequence: envelope.laneSequence)
      take(order)
    case .roster(let roster):
      aggregatorLink.receiverSpoke()
      if let taken, let hash = roster.fetchOptions, taken.differ(from: hash) {
        needsOtherOptions = true
        await drain()
      }
      for lost in await downstream.follow(roster, as: hello, notifying: aggregatorLink.inbox) {
        giveBack(lost)
      }
    case .credit(let credit): downstream.received(credit)
    case .hello(let hello): downstream.received(hello)
    case .ack(let ack): aggregatorLink.acknowledged(ack.tokens)
    case .cancel(let cancel): stop(cancel)
    case .hostSlotGrant(let grant): hostSlots.received(grant)
    case .drain:
      wasToldToEnd = true
      await drain()
    case .submit, .receipt, .document, .result, .giveBack, .bye, .query, .answer, .ask, .tell,
      .hostSlotRequest:
      strays.came(envelope.message, "message not for a fetcher", to: ports.log)
    }
    release(downstream.sendWaiting())
  }

  /// A decoder knows the secret that it shares with this fetcher, and the aggregator the fetcher's own.
  private func comesFromItsSender(_ envelope: Envelope) -> Bool {
    guard let decoder = envelope.message.speaker else { return envelope.secret == identity.secret }
    return envelope.secret == downstream.secret(with: decoder)
  }

  private func refuse(_ envelope: Envelope) {
    if let decoder = envelope.message.speaker, downstream.knew(decoder, by: envelope.secret) {
      late.came(
        envelope.message, "late message of a decoder that left or counted as dead", at: .info, to: ports.log)
    } else {
      strays.came(
        envelope.message, "message refused: it was sent in another worker's name", to: ports.log)
    }
  }

  private func take(_ order: JobOrder) {
    guard !aggregatorLink.isDraining else {
      aggregatorLink.add(
        .giveBack(GiveBack(from: identity.worker, tokens: [order.lease.token], reason: .draining)))
      return
    }
    start(order)
  }

  private func start(_ order: JobOrder) {
    guard running[order.lease.token] == nil else { return }
    guard order.job.kind.walks else {
      var order = order
      order.pass(.fetcher, at: ports.clock.microseconds)
      handOver(Document(passing: order, by: identity.worker))
      return
    }
    let activity = FetchActivity()
    let task = Task(executorPreference: ports.executor) {
      let end = await self.walk.walk(order, through: self, telling: activity)
      await self.finished(order, end)
    }
    running[order.lease.token] = Walk(task: task, activity: activity, began: ports.clock.now)
    aggregatorLink.sayHelloSoon()
  }

  private func finished(_ order: JobOrder, _ end: RedirectFollower.End) async {
    running[order.lease.token] = nil
    hostSlots.ended(order.lease.token)
    // Broken off by our own end, which is no outcome of the job.
    guard !isStopping else { return }
    ports.meter?.passed(microseconds: end.milliseconds * 1_000, failed: end.failure != nil)
    switch FetchReport.outcome(of: order, end, by: identity.worker) {
    case .result(let result):
      aggregatorLink.add(result)
      release(1)
    case .document(let document): handOver(document)
    }
    flush()
  }

  private func handOver(_ document: Document) {
    downstream.add(document)
    release(downstream.sendWaiting())
  }

  /// So many jobs are off our hands.
  private func release(_ count: Int) {
    for _ in 0..<count { lane.finishedOne() }
  }

  private func stop(_ cancel: Cancel) {
    guard case .leases(let tokens) = cancel.scope else { return }
    for token in tokens {
      running[token]?.task.cancel()
      hostSlots.cancelled(token)
    }
  }

  private func stop() async {
    isStopping = true
    let tasks = running.inOrder.map(\.value.task)
    for task in tasks { task.cancel() }
    hostSlots.cancelAll()
    for task in tasks { await task.value }
  }

  private func flush() {
    downstream.flush()
    fetching.keeps(bytes: downstream.bytes)
    if let grant = lane.newGrant() {
      aggregatorLink.add(.credit(Credit(from: identity.worker, granted: grant)))
    }
    aggregatorLink.flush()
  }

  private func measured(_ hello: Hello) -> Hello {
    let now = ports.clock.now
    if running.values.contains(where: { $0.isNew(at: now) }) { aggregatorLink.sayHelloSoon() }
    ports.meter?.turned(
      held: hello.held.count, free: lane.granted - min(lane.granted, lane.received), at: now)
    return hello
  }

  private var hello: Hello {
    let (walking, now) = (running.keys.sorted(), ports.clock.now)
    let executing = walking.filter { token in
      running[token].map { $0.isNew(at: now) || $0.activity.isExecuting } ?? false
    }
    var hello = aggregatorLink.hello(as: .fetcher, held: walking + downstream.tokens)
    (hello.granted, hello.received) = (lane.granted, lane.received)
    hello.executing = executing
    return hello
  }
}

// Walks that go on to other hosts.
extension Fetcher: HostSlotSource {
  func pass(_ token: LeaseToken, to host: String, number: UInt32, until deadline: Moment?) async
    -> HostSlotAnswer
  {
    guard !isStopping, !Task.isCancelled else { return .cancelled }
    let request = HostSlotRequest(from: identity.worker, token: token, number: number, host: host)
    aggregatorLink.add(.hostSlotRequest(request))
    flush()
    return await withCheckedContinuation { hostSlots.add(request, until: deadline, at: ports.clock.now, $0) }
  }

  private var nextWake: Moment {
    min(aggregatorLink.nextHello, hostSlots.nextLook ?? aggregatorLink.nextHello)
  }

  private var identity: WorkerIdentity { aggregatorLink.identity }
}
