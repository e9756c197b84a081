import Pipeline
import Scheduling

/// A fetcher's lanes to the decoders of its locality: documents wait here until one of them has credit, and are kept until
/// it has finished, so that a decoder's death costs no second fetch.
final class DecoderLanes {
  /// A document whose reading a decoder can have died of. Only its lane was seen to go down, so it may live.
  struct Suspect: Hashable {
    var token: LeaseToken
    var decoder: WorkerID
  }

  private let ports: RolePorts
  private var lanes: [WorkerID: DecoderLane] = [:]
  private var waiting = FIFO<PendingDocument>()
  private var waitingBytes = 0
  /// The counters of lanes that went down, for when they come up again.
  private var counters: [WorkerID: LaneSender] = [:]
  /// The secrets of lanes that are gone: what such a decoder still says is late.
  private var former: [WorkerID: LaneSecret] = [:]
  private static let mostFormer = 1_000

  init(ports: RolePorts) {
    self.ports = ports
  }

  /// Tokens of documents that no decoder has finished.
  var tokens: [LeaseToken] {
    waiting.map(\.token) + lanes.inOrder.flatMap(\.value.tokens)
  }

  /// Of the bodies that no decoder has finished.
  var bytes: Int { lanes.values.reduce(waitingBytes) { $0 + $1.bytes } }

  /// Connects to decoders that are new, and gives nothing more to those that are no longer listed.
  ///
  /// - Returns: What each decoder can have died of that is silent for too long.
  func follow(_ roster: Roster, as hello: Hello, notifying inbox: any Inbox) async -> [Suspect] {
    let listed = Set(roster.decoders.map(\.worker))
    for (id, lane) in lanes where !listed.contains(id) { lane.isLeaving = true }
    await closeIdle()
    for peer in roster.decoders {
      if lanes[peer.worker] == nil {
        guard let outlet = try? await ports.transport.connect(to: peer.address, notifying: inbox) else {
          continue
        }
        lanes[peer.worker] = DecoderLane(
          to: peer, over: Outbox(outlet, ports: ports, secret: peer.secret),
          credit: counters.removeValue(forKey: peer.worker) ?? LaneSender())
      }
      lanes[peer.worker]?.isLeaving = false
    }
    let now = ports.clock.now
    for (_, lane) in lanes.inOrder { lane.greet(as: hello, at: now) }
    counters = counters.filter { listed.contains($0.key) }
    var suspects: [Suspect] = []
    for id in lanes.inOrder.filter({ $0.value.isSilent(at: now) }).map(\.key) {
      if let suspect = await leave(id) { suspects.append(suspect) }
    }
    return suspects
  }

  /// The lane to a decoder went down: others get the documents that it had.
  ///
  /// - Returns: The one that it can have died of.
  func lost(_ address: Address) async -> Suspect? {
    guard let id = lanes.inOrder.first(where: { $0.value.address == address })?.key else { return nil }
    return await leave(id)
  }

  /// What it had goes to others; only the suspect that it was reading is blamed for its death.
  private func leave(_ id: WorkerID) async -> Suspect? {
    guard let lane = lanes.removeValue(forKey: id) else { return nil }
    counters[id] = lane.credit
    remember(lane, to: id)
    var first = FIFO<PendingDocument>()
    var culprit: Suspect?
    for pending in lane.takeBack() {
      guard pending.token != lane.reading else {
        culprit = Suspect(token: pending.token, decoder: id)
        continue
      }
      first.append(pending.afterDecoderDied)
      waitingBytes += pending.bytes
    }
    while let later = waiting.popFirst() { first.append(later) }
    waiting = first
    await lane.outbox.close()
    return culprit
  }

  func close() async {
    for (_, lane) in lanes.inOrder { await lane.outbox.close() }
    lanes = [:]
  }

  private func closeIdle() async {
    for (id, lane) in lanes.inOrder where lane.isLeaving && lane.isIdle {
      lanes[id] = nil
      remember(lane, to: id)
      await lane.outbox.close()
    }
  }

  /// nil for one that is not known.
  func secret(with decoder: WorkerID) -> LaneSecret? { lanes[decoder]?.secret }

  private func remember(_ lane: DecoderLane, to decoder: WorkerID) {
    if former.count >= Self.mostFormer { former = [:] }
    former[decoder] = lane.secret
  }

  func knew(_ decoder: WorkerID, by secret: LaneSecret) -> Bool { former[decoder] == secret }

  /// A decoder tells about suspects.
  func received(_ hello: Hello) {
    lanes[hello.worker]?.received(hello)
  }

  func received(_ credit: Credit) {
    lanes[credit.from]?.received(credit)
  }

  func add(_ document: Document) {
    let pending = PendingDocument(document)
    waiting.append(pending)
    waitingBytes += pending.bytes
  }

  /// Hands waiting documents to the decoders with most free credit.
  ///
  /// - Returns: How many found their first decoder.
  func sendWaiting() -> Int {
    var count = 0
    while let next = waiting.first, let freest, freest.handOver(next) {
      _ = waiting.popFirst()
      waitingBytes -= next.bytes
      if next.deaths == 0 { count += 1 }
    }
    return count
  }

  private var freest: DecoderLane? {
    lanes.lazy.filter { !$0.value.isLeaving }
      .max { ($0.value.credit.available, $1.key) < ($1.value.credit.available, $0.key) }?.value
  }

  func flush() {
    for (_, lane) in lanes.inOrder { lane.outbox.flush() }
  }
}
