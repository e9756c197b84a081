import Pipeline

/// A fetcher's lanes to the decoders of its cell: documents wait here until one of them has credit.
final class DecoderLanes {
  private let ports: RolePorts
  private var lanes: [WorkerID: Lane] = [:]
  private var waiting = FIFO<Document>()
  /// Handed over, and not yet named as finished.
  private var handed: Set<LeaseToken> = []

  private struct Lane {
    var outbox: Outbox
    var credit = LaneSender()
  }

  init(ports: RolePorts) {
    self.ports = ports
  }

  /// Tokens of documents that no decoder has finished.
  var tokens: [LeaseToken] {
    waiting.elements(from: 0, atMost: waiting.count).map(\.order.lease.token) + Array(handed)
  }

  /// Connects to decoders that are new and forgets those that are gone.
  func follow(_ roster: Roster, as hello: Hello) async {
    let listed = Set(roster.decoders.map(\.worker))
    for gone in lanes.keys.filter({ !listed.contains($0) }) { lanes[gone] = nil }
    for peer in roster.decoders {
      if lanes[peer.worker] == nil {
        guard let outlet = try? await ports.transport.connect(to: peer.address) else { continue }
        lanes[peer.worker] = Lane(outbox: Outbox(outlet, ports: ports))
      }
      lanes[peer.worker]?.outbox.add(.hello(hello))
    }
  }

  func received(_ credit: Credit) {
    lanes[credit.from]?.credit.received(grant: credit.granted)
    for token in credit.finished { handed.remove(token) }
  }

  func add(_ document: Document) {
    waiting.append(document)
  }

  /// Hands waiting documents to the decoders with most free credit.
  ///
  /// - Returns: How many found a decoder.
  func sendWaiting() -> Int {
    var count = 0
    while !waiting.isEmpty,
      let freest = lanes.max(by: { $0.value.credit.available < $1.value.credit.available })
    {
      guard let sequence = lanes[freest.key]?.credit.take(), let document = waiting.popFirst() else { break }
      handed.insert(document.order.lease.token)
      freest.value.outbox.add(.document(document), laneSequence: sequence)
      count += 1
    }
    return count
  }

  func flush() {
    for lane in lanes.values { lane.outbox.flush() }
  }
}
