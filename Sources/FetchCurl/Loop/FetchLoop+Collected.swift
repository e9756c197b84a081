internal import Pipeline
internal import Posix

/// A response whose body is yet to be decoded.
struct CollectedResponse: Sendable {
  let response: FetchResponse
  let body: CollectedBody
}

/// Responses whose bodies are decoded beside the loop: one at a time, because each may take 16 MiB and tens of milliseconds.
struct CollectedResponses {
  struct Entry {
    let order: FetchOrder
    let collected: CollectedResponse

    func answer(_ decoded: CollectedBody.Decoded, at now: Int64) -> Result<FetchResponse, Failure> {
      if order.ticket.isCancelled { return .failure(order.request.cancellation(at: .body)) }
      guard let end = decoded.end else { return .success(overdue(at: now)) }
      var response = collected.response
      response.body = decoded.bytes
      return .success(order.complete(response, end))
    }

    func overdue(at now: Int64) -> FetchResponse {
      var response = collected.response
      response.fail(order.timeout(at: .body, "decoding the body", now: now))
      return response
    }
  }

  private(set) var entries: [Entry] = []
  /// The one that a thread decodes now, also after its caller gave up.
  private var current: Ticket?

  mutating func append(_ entry: Entry) { entries.append(entry) }

  /// The next one to be decoded, if no other one is.
  mutating func next() -> Entry? {
    guard current == nil, let first = entries.first else { return nil }
    current = first.order.ticket
    return first
  }

  mutating func endCurrent() { current = nil }

  mutating func take(where condition: (FetchOrder) -> Bool) -> [Entry] {
    entries.take { condition($0.order) }
  }
}

extension FetchLoop {
  func decode(_ collected: CollectedResponse, for order: FetchOrder) {
    room.setAside(collected.body.wire.count)
    self.collected.append(.init(order: order, collected: collected))
    decodeNext()
  }

  func decodeNext() {
    while let next = collected.next() {
      let (order, body) = (next.order, next.collected.body)
      room.setAside(body.workingBytes)
      let thread = try? Thread.start(name: "body decoding", niceness: 10) { [mailbox] in
        mailbox.post(body.decoded(while: { order.isWanted }), for: order.ticket)
      }
      if thread == nil { settle(order.ticket, body.decoded(while: { order.isWanted })) }
    }
  }

  func settle(_ ticket: Ticket, _ decoded: CollectedBody.Decoded) {
    collected.endCurrent()
    room.giveBack(decoded.workingBytes)
    for entry in takeCollected(where: { $0.ticket === ticket }) {
      answers.append((entry.order, entry.answer(decoded, at: SystemTime.monotonicMicroseconds)))
    }
  }

  /// Gives back the memory of those that meet the condition, too.
  func takeCollected(where condition: (FetchOrder) -> Bool) -> [CollectedResponses.Entry] {
    let taken = collected.take(where: condition)
    for entry in taken { room.giveBack(entry.collected.body.wire.count) }
    return taken
  }
}

extension FetchOrder {
  /// Whether its caller still waits for the answer.
  fileprivate var isWanted: Bool { !ticket.isCancelled && SystemTime.monotonicMicroseconds < deadline }
}
