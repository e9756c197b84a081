import Pipeline

/// A fetcher's lanes to the decoders of its cell: documents wait here until one of them has credit, and are kept until
/// it has finished, so that a decoder's death costs no second fetch.
final class DecoderLanes {
  private let ports: RolePorts
  private var lanes: [WorkerID: Lane] = [:]
  private var waiting = FIFO<Waiting>()
  /// The counters of lanes that went down, for when they come up again.
  private var counters: [WorkerID: LaneSender] = [:]

  private struct Lane {
    let address: Address
    var outbox: Outbox
    var credit = LaneSender()
    /// Handed over, and not yet named as finished, in the order of the lane.
    var handed: [Handed] = []
    /// The suspect that it is reading, as it says.
    var reading: LeaseToken?
    /// Greetings that were answered.
    var answers = 0
    /// Greetings since it spoke last.
    var unanswered = 0
    /// The decoder takes nothing new; the lane is kept for what it still has.
    var isLeaving = false
  }

  private struct Waiting {
    var document: Document
    /// A decoder that is gone had it; its place in the fetcher's own lane was given back then.
    var isAgain = false
  }

  private struct Handed {
    var document: Document
    /// Answers that had come before.
    var answers: Int

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
          address: peer.address, outbox: Outbox(outlet, ports: ports),
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
    lanes[decoder]?.unanswered += 1
    lane.outbox.add(.hello(hello))
  }

  /// The lane to a decoder went down: others get the documents that it had.
  ///
  /// - Returns: The lease of the one that it can have died of.
  func lost(_ address: Address) async -> LeaseToken? {
    guard let id = lanes.first(where: { $0.value.address == address })?.key else { return nil }
    return await leave(id)
  }

  /// What it had not begun with, as far as it said so, goes to others as suspects; nobody is blamed for its death but
  /// the suspect that it was reading.
  private func leave(_ id: WorkerID) async -> LeaseToken? {
    guard let lane = lanes.removeValue(forKey: id) else { return nil }
    counters[id] = lane.credit
    var first = FIFO<Waiting>()
    var culprit: LeaseToken?
    for handed in lane.handed {
      guard handed.token != lane.reading else {
        culprit = handed.token
        continue
      }
      var document = handed.document
      document.isSuspect = document.order.job.kind != .echo
      first.append(Waiting(document: document, isAgain: true))
    }
    while let later = waiting.popFirst() { first.append(later) }
    waiting = first
    await lane.outbox.close()
    return culprit
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

  /// A decoder tells about suspects.
  func received(_ hello: Hello) {
    lanes[hello.worker]?.outbox.receiverSpoke()
    lanes[hello.worker]?.unanswered = 0
    lanes[hello.worker]?.reading = hello.executing.first
  }

  func received(_ credit: Credit) {
    lanes[credit.from]?.outbox.receiverSpoke()
    lanes[credit.from]?.credit.received(grant: credit.granted)
    lanes[credit.from]?.unanswered = 0
    // Only the answer to a greeting names nothing.
    if credit.finished.isEmpty { lanes[credit.from]?.answers += 1 }
    guard let answers = lanes[credit.from]?.answers else { return }
    let finished = Set(credit.finished)
    lanes[credit.from]?.handed.removeAll {
      finished.contains($0.token) || answers - $0.answers >= Self.answersUntilDone
    }
  }

  func add(_ document: Document) {
    waiting.append(Waiting(document: document))
  }

  /// Hands waiting documents to the decoders with most free credit.
  ///
  /// - Returns: How many found their first decoder.
  func sendWaiting() -> Int {
    var count = 0
    while !waiting.isEmpty,
      let freest = lanes.lazy.filter({ !$0.value.isLeaving })
        .max(by: { $0.value.credit.available < $1.value.credit.available })
    {
      guard let sequence = lanes[freest.key]?.credit.take(), let next = waiting.popFirst() else { break }
      lanes[freest.key]?.handed.append(Handed(document: next.document, answers: freest.value.answers))
      freest.value.outbox.add(.document(next.document), laneSequence: sequence)
      if !next.isAgain { count += 1 }
    }
    return count
  }

  func flush() {
    for lane in lanes.values { lane.outbox.flush() }
  }
}
