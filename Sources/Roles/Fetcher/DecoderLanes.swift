import Pipeline

/// A fetcher's lanes to the decoders of its cell: documents wait here until one of them has credit, and are kept until
/// it has finished, so that a decoder's death costs no second fetch.
final class DecoderLanes {
  private let ports: RolePorts
  private var lanes: [WorkerID: Lane] = [:]
  private var waiting = FIFO<Waiting>()
  /// The counters of lanes that went down, for when they come up again.
  private var counters: [WorkerID: LaneSender] = [:]

  /// A class, so that looking at it copies nothing of what it holds.
  private final class Lane {
    let address: Address
    let outbox: Outbox
    var credit: LaneSender
    /// Handed over, and not yet named as finished, in the order of the lane.
    var handed: [Handed] = []
    /// Greetings that were answered.
    var answers = 0
    /// Greetings since it spoke last.
    var unanswered = 0
    /// The decoder takes nothing new; the lane is kept for what it still has.
    var isLeaving = false

    init(to address: Address, _ outbox: Outbox, credit: LaneSender) {
      (self.address, self.outbox, self.credit) = (address, outbox, credit)
    }

    /// Documents are finished in the order of the lane: mostly the first ones go, and the others stay in place.
    func finish(where isDone: (Handed) -> Bool) {
      handed.removeFirst(handed.firstIndex { !isDone($0) } ?? handed.count)
      handed.removeAll(where: isDone)
    }
  }

  private struct Waiting {
    var document: Document
    /// A decoder that is gone had it; its place in the fetcher's own lane was given back then.
    var isAgain = false
  }

  private final class Handed {
    let document: Document
    /// Answers that had come before.
    let answers: Int

    init(_ document: Document, answers: Int) {
      (self.document, self.answers) = (document, answers)
    }

    var token: LeaseToken { document.order.lease.token }
  }

  /// A decoder that leaves so many greetings without an answer is gone, also when nobody saw its lane go down.
  private static let mostUnanswered = 5
  /// A decoder reads in order: when it has answered so many greetings since, it has finished with a document or never
  /// got it, and the lane lost the one message or the other.
  private static let answersUntilDone = 4

  init(ports: RolePorts) {
    self.ports = ports
  }

  /// Tokens of documents that no decoder has finished.
  var tokens: [LeaseToken] {
    waiting.elements(from: 0, atMost: waiting.count).map(\.document.order.lease.token)
      + lanes.values.flatMap { $0.handed.map(\.token) }
  }

  /// Connects to decoders that are new, and gives nothing more to those that are no longer listed.
  ///
  /// - Returns: What each decoder can have died of that is silent for too long.
  func follow(_ roster: Roster, as hello: Hello, notifying inbox: any Inbox) async -> [LeaseToken] {
    let listed = Set(roster.decoders.map(\.worker))
    for id in lanes.keys where !listed.contains(id) { lanes[id]?.isLeaving = true }
    await closeIdle()
    for peer in roster.decoders {
      if lanes[peer.worker] == nil {
        guard let outlet = try? await ports.transport.connect(to: peer.address, notifying: inbox) else {
          continue
        }
        lanes[peer.worker] = Lane(
          to: peer.address, Outbox(outlet, ports: ports),
          credit: counters.removeValue(forKey: peer.worker) ?? LaneSender())
      }
      lanes[peer.worker]?.isLeaving = false
    }
    for id in lanes.keys { greet(id, as: hello) }
    counters = counters.filter { listed.contains($0.key) }
    var suspects: [LeaseToken] = []
    for id in lanes.filter({ $0.value.unanswered > Self.mostUnanswered }).keys {
      if let suspect = await leave(id) { suspects.append(suspect) }
    }
    return suspects
  }

  /// Tells a decoder how many documents were sent to it, so that it sees which got lost.
  private func greet(_ decoder: WorkerID, as hello: Hello) {
    guard let lane = lanes[decoder] else { return }
    var hello = hello
    hello.received = lane.credit.sent
    (hello.held, hello.executing) = ([], [])
    lane.unanswered += 1
    lane.outbox.add(.hello(hello))
  }

  /// The lane to a decoder went down: others get the documents that it had.
  ///
  /// - Returns: The lease of the one that it can have died of.
  func lost(_ address: Address) async -> LeaseToken? {
    guard let id = lanes.first(where: { $0.value.address == address })?.key else { return nil }
    return await leave(id)
  }

  /// A decoder reads one document after the other, so only the first can have been its death.
  private func leave(_ id: WorkerID) async -> LeaseToken? {
    guard let lane = lanes.removeValue(forKey: id) else { return nil }
    counters[id] = lane.credit
    var first = FIFO<Waiting>()
    for handed in lane.handed.dropFirst() { first.append(Waiting(document: handed.document, isAgain: true)) }
    while let later = waiting.popFirst() { first.append(later) }
    waiting = first
    await lane.outbox.close()
    return lane.handed.first?.token
  }

  func close() async {
    for lane in lanes.values { await lane.outbox.close() }
    lanes = [:]
  }

  private func closeIdle() async {
    for (id, lane) in lanes where lane.isLeaving && lane.handed.isEmpty {
      lanes[id] = nil
      await lane.outbox.close()
    }
  }

  func received(_ credit: Credit) {
    guard let lane = lanes[credit.from] else { return }
    lane.outbox.receiverSpoke()
    lane.credit.received(grant: credit.granted)
    lane.unanswered = 0
    // Only the answer to a greeting names nothing.
    if credit.finished.isEmpty { lane.answers += 1 }
    let finished = Set(credit.finished)
    lane.finish { finished.contains($0.token) || lane.answers - $0.answers >= Self.answersUntilDone }
  }

  func add(_ document: Document) {
    waiting.append(Waiting(document: document))
  }

  /// Hands waiting documents to the decoders with most free credit.
  ///
  /// - Returns: How many found their first decoder.
  func sendWaiting() -> Int {
    var count = 0
    while !waiting.isEmpty, let freest = freestLane, let sequence = freest.credit.take(),
      let next = waiting.popFirst()
    {
      freest.handed.append(Handed(next.document, answers: freest.answers))
      freest.outbox.add(.document(next.document), laneSequence: sequence)
      if !next.isAgain { count += 1 }
    }
    return count
  }

  private var freestLane: Lane? {
    lanes.values.lazy.filter { !$0.isLeaving }.max { $0.credit.available < $1.credit.available }
  }

  func flush() {
    for lane in lanes.values { lane.outbox.flush() }
  }
}
