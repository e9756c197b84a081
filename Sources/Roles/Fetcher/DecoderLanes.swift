import Pipeline

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
        let outbox = try? await Outbox.connect(
          to: peer.address, notifying: inbox, ports, secret: peer.secret)
        guard let outbox else { continue }
        lanes[peer.worker] = DecoderLane(
          over: outbox, credit: counters.removeValue(forKey: peer.worker) ?? LaneSender())
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
    guard let id = lanes.inOrder.first(where: { $0.value.outbox.address == address })?.key else { return nil }
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
    await lane.outbox.outlet.close()
    return culprit
  }

  func close() async {
    for (_, lane) in lanes.inOrder { await lane.outbox.outlet.close() }
    lanes = [:]
  }

  private func closeIdle() async {
    for (id, lane) in lanes.inOrder where lane.isLeaving && lane.isIdle {
      lanes[id] = nil
      remember(lane, to: id)
      await lane.outbox.outlet.close()
    }
  }

  /// nil for one that is not known.
  func secret(with decoder: WorkerID) -> LaneSecret? { lanes[decoder]?.outbox.secret }

  private func remember(_ lane: DecoderLane, to decoder: WorkerID) {
    if former.count >= Self.mostFormer { former = [:] }
    former[decoder] = lane.outbox.secret
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

/// A fetcher's lane to one decoder, with what was handed over and not yet named as finished.
final class DecoderLane {
  let outbox: Outbox
  var credit: LaneSender
  /// The decoder takes nothing new; the lane is kept for what it still has.
  var isLeaving = false
  /// The suspect that it is reading, as it says.
  private(set) var reading: LeaseToken?
  /// Of the bodies that it has not finished.
  private(set) var bytes = 0
  /// In the order of the lane.
  private var handed = FIFO<Handed>()
  private var greetedAt: Moment?
  private var greetings = 0
  /// Greetings that were answered.
  private var answers = 0
  /// Greetings since it spoke last, and when the first of them was.
  private var unanswered = 0
  private var silentSince: Moment?

  private struct Handed {
    let pending: PendingDocument
    /// So many answers in all tell that it is done.
    let doneAfter: Int
  }

  /// A decoder reads in order: when it has answered so many greetings that were said later, it has finished with a
  /// document or never got it, and the lane lost the one message or the other.
  private static let answersUntilDone = 2
  /// A roster comes with each HELLO, and whenever a decoder comes or goes; a greeting is for the beat.
  private static let greetingMilliseconds = Heartbeat.helloMilliseconds * 3 / 4
  /// A decoder that leaves so many greetings without an answer is gone, also when its lane did not go down. The time
  /// counts too, and neither alone: while this process itself stood still no answer could come.
  private static let mostUnanswered = 5

  init(over outbox: Outbox, credit: LaneSender) {
    (self.outbox, self.credit) = (outbox, credit)
  }

  var isIdle: Bool { handed.isEmpty }

  /// Tokens of documents that it has not finished.
  var tokens: [LeaseToken] { handed.map(\.pending.token) }

  /// Tells the decoder how many documents were sent to it, so that it sees which got lost.
  func greet(as hello: Hello, at now: Moment) {
    if let greetedAt, now.milliseconds(since: greetedAt) < Self.greetingMilliseconds { return }
    var hello = hello
    hello.received = credit.sent
    (hello.held, hello.executing) = ([], [])
    greetedAt = now
    greetings += 1
    if unanswered == 0 { silentSince = now }
    unanswered += 1
    outbox.add(.hello(hello))
  }

  func isSilent(at now: Moment) -> Bool {
    guard let silentSince, unanswered > Self.mostUnanswered else { return false }
    return now.milliseconds(since: silentSince) >= Heartbeat.workerLifeMilliseconds
  }

  /// - Returns: False without credit.
  func handOver(_ pending: PendingDocument) -> Bool {
    guard let sequence = credit.take() else { return false }
    handed.append(Handed(pending: pending, doneAfter: greetings + Self.answersUntilDone))
    bytes += pending.bytes
    outbox.add(pending.document, laneSequence: sequence)
    return true
  }

  func received(_ hello: Hello) {
    outbox.outlet.receiverSpoke()
    unanswered = 0
    reading = hello.executing.first
  }

  func received(_ credit: Credit) {
    outbox.outlet.receiverSpoke()
    self.credit.received(grant: credit.granted)
    unanswered = 0
    // Only the answer to a greeting names nothing.
    if credit.finished.isEmpty { answers = min(answers + 1, greetings) }
    for token in credit.finished { finished(token) }
    while let first = handed.first, answers >= first.doneAfter { releaseFirst() }
  }

  /// Nearly always the first: what it passes over is in a message that got lost.
  private func finished(_ token: LeaseToken) {
    if handed.first?.pending.token == token {
      releaseFirst()
    } else {
      handed.removeAll { passed in
        guard passed.pending.token == token else { return false }
        bytes -= passed.pending.bytes
        return true
      }
    }
  }

  private func releaseFirst() {
    bytes -= handed.popFirst()?.pending.bytes ?? 0
  }

  /// What it still had, in order.
  func takeBack() -> [PendingDocument] {
    bytes = 0
    return handed.popFirst(atMost: handed.count).map(\.pending)
  }
}

/// A document on its way to a decoder, until one has finished with it.
struct PendingDocument {
  /// In the box it travels in.
  private(set) var document: Message
  let token: LeaseToken
  /// Of its body, without those that are free.
  let bytes: Int
  /// Decoders that died while they had it. Its place in the fetcher's own lane was given back with the first that had
  /// it.
  private(set) var deaths = 0

  /// A decoder dies of many things, and seldom of a page: to read suspects takes long, so one death makes none.
  private static let deathsUntilSuspect = 2

  init(_ document: Document) {
    self.document = .document(document)
    token = document.order.lease.token
    bytes = max(document.body.count - BodyMemory.freeBytes, 0)
  }

  var afterDecoderDied: PendingDocument {
    var pending = self
    pending.deaths += 1
    if pending.deaths == Self.deathsUntilSuspect, case .document(var document) = document,
      document.order.job.kind != .echo
    {
      document.order.isSuspect = true
      pending.document = .document(document)
    }
    return pending
  }
}
