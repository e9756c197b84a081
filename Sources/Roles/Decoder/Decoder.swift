public import Pipeline

/// All parsing of hostile bytes: takes documents as its credit allows, and sends a result for each.
public actor Decoder {
  private let identity: WorkerIdentity
  private let inbox: any Inbox
  private let ports: RolePorts
  private let desk: DocumentDesk
  /// Documents each fetcher may have waiting here.
  private let window: Int
  private var upstream: Upstream?
  private var fetchers: [WorkerID: FetcherLane] = [:]

  private static let longBodyBytes = 512 << 10

  private struct FetcherLane {
    var outbox: Outbox
    var credit: LaneReceiver
    var finished: [LeaseToken] = []
  }

  /// - Parameter inbox: Bound already, so that nothing sent to it is lost.
  public init(
    identity: WorkerIdentity, inbox: any Inbox, ports: RolePorts, window: Int = 64
  ) {
    self.identity = identity
    self.inbox = inbox
    self.ports = ports
    self.window = window
    desk = DocumentDesk(clock: ports.clock)
  }

  /// Works until its task is cancelled.
  public func run() async throws {
    let upstream = Upstream(to: try await ports.transport.connect(to: identity.aggregator), ports: ports)
    self.upstream = upstream
    while true {
      upstream.beat { hello }
      flush()
      let burst = try await inbox.receive(atMost: Beat.burst, until: upstream.nextBeat)
      for envelope in burst.envelopes {
        await handle(envelope)
      }
    }
  }

  private func handle(_ envelope: Envelope) async {
    switch envelope.message {
    case .document(let document):
      upstream?.add(await read(document))
      finished(document.order.lease.token, from: document.sender, sequence: envelope.laneSequence)
    case .hello(let hello): await meet(hello)
    case .ack(let ack): upstream?.acknowledged(ack.tokens)
    case .roster, .credit, .submit, .receipt, .job, .result, .giveBack, .cancel, .drain, .bye, .query,
      .answer:
      ports.log.record(.warning, "message not for a decoder", [])
    }
  }

  /// A long document is read on the pool: on a thread that all roles share it would hold up the others.
  private func read(_ document: Document) async -> JobResult {
    guard document.body.count > Self.longBodyBytes else { return desk.read(document, by: identity.worker) }
    return await withTaskExecutorPreference(globalConcurrentExecutor) {
      desk.read(document, by: identity.worker)
    }
  }

  /// A fetcher says where its inbox is, and is granted a window.
  private func meet(_ hello: Hello) async {
    guard hello.role == .fetcher else { return }
    if fetchers[hello.worker] == nil {
      guard let outlet = try? await ports.transport.connect(to: hello.address) else { return }
      fetchers[hello.worker] = FetcherLane(
        outbox: Outbox(outlet, ports: ports), credit: LaneReceiver(window: UInt64(window)))
    }
    guard let granted = fetchers[hello.worker]?.credit.granted else { return }
    fetchers[hello.worker]?.outbox.add(.credit(Credit(from: identity.worker, granted: granted)))
  }

  private func finished(_ token: LeaseToken, from fetcher: WorkerID, sequence: UInt64) {
    fetchers[fetcher]?.credit.accepted(sequence: sequence)
    fetchers[fetcher]?.finished.append(token)
    guard let grant = fetchers[fetcher]?.credit.finishedOne(), let lane = fetchers[fetcher] else { return }
    lane.outbox.add(.credit(Credit(from: identity.worker, granted: grant, finished: lane.finished)))
    fetchers[fetcher]?.finished = []
  }

  private func flush() {
    for lane in fetchers.values { lane.outbox.flush() }
    upstream?.flush()
  }

  private var hello: Hello {
    Hello(
      worker: identity.worker, role: .decoder, cell: identity.cell, address: inbox.address, granted: 0,
      received: 0, held: upstream?.unacknowledgedTokens ?? [])
  }
}
