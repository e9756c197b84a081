internal import Curl
internal import Pipeline
internal import Posix

/// A question to the system's resolver, and the order that waits for its answer.
struct Lookup {
  enum Purpose {
    /// libcurl found no address and cannot tell why.
    case explaining(Ending)
    /// A proxy will be given the name, so that libcurl never sees an address to guard.
    case guarding
  }

  let order: FetchOrder
  let purpose: Purpose
  let limit: Int64

  /// The failure when the resolver did not answer in time.
  func overdue(limitMilliseconds: Int64) -> Failure {
    switch purpose {
    case .explaining(let ending): order.request.nameFailure(.unanswered(ending.text))
    case .guarding:
      order.timeout(
        at: .dns, "\(Phase.nameLookup.activity); \(NameLookup.isAskedBeforeProxies)",
        milliseconds: limitMilliseconds)
    }
  }

  func failure(_ answer: NameLookup) -> Failure {
    let failure = order.request.nameFailure(answer)
    switch purpose {
    case .explaining: return failure
    case .guarding:
      return Failure(
        failure.kind, at: failure.stage, "\(failure.message); \(NameLookup.isAskedBeforeProxies)",
        retryable: failure.retryable)
    }
  }
}

extension FetchLoop {
  private static let mostAskedNames = 64

  var mayAskForNames: Bool { askedNames < Self.mostAskedNames }

  /// libcurl's own answer told too little.
  func explain(_ ending: Ending, for order: FetchOrder, since start: Int64) {
    guard mayAskForNames, ask(for: order, .explaining(ending), since: start) else {
      answers.append((order, .failure(order.request.nameFailure(.unanswered(ending.text)))))
      return
    }
  }

  /// Lets the order go on only when no address of its name is refused.
  func guardName(of order: FetchOrder) {
    guard ask(for: order, .guarding, since: SystemTime.monotonicMicroseconds) else {
      let answer = NameLookup.unanswered("the system has no thread to give")
      answers.append((order, .failure(order.request.nameFailure(answer))))
      return
    }
  }

  func settle(_ ticket: Ticket, _ answer: NameLookup) {
    askedNames -= 1
    guard let index = lookups.firstIndex(where: { $0.order.ticket === ticket }) else { return }
    let lookup = lookups.remove(at: index)
    let request = lookup.order.request
    switch (lookup.purpose, answer) {
    case (.guarding, .found(let addresses)):
      let refusals = addresses.lazy.compactMap { [settings] address in
        request.refusal(of: address, port: request.port, by: settings)
      }
      if let refusal = refusals.first {
        answers.append((lookup.order, .failure(refusal)))
      } else {
        waiting.append(lookup.order.again(isGuarded: true))
      }
    case (.guarding, _), (.explaining, _):
      answers.append((lookup.order, .failure(lookup.failure(answer))))
    }
  }

  /// On a thread of its own, because the system's resolver blocks.
  private func ask(for order: FetchOrder, _ purpose: Lookup.Purpose, since start: Int64) -> Bool {
    let (host, ticket) = (order.request.host, order.ticket)
    let thread = try? Thread.start(name: "name lookup") { [mailbox] in
      mailbox.post(NameLookup.ask(for: host), for: ticket)
    }
    guard thread != nil else { return false }
    askedNames += 1
    let limit = min(start.adding(milliseconds: settings.nameLookupLimit), order.deadline)
    lookups.append(Lookup(order: order, purpose: purpose, limit: limit))
    return true
  }
}

extension NameLookup {
  fileprivate static let isAskedBeforeProxies =
    "this machine has to know a name before the proxy is asked, with socks5h too"
}

extension FetchRequest {
  /// What the resolver's answer says about a lookup that failed.
  func nameFailure(_ answer: NameLookup) -> Failure {
    let cause =
      switch answer {
      case .noSuchName: ": there is no such name"
      case .unanswered(let reason): ": \(reason)"
      case .found: " at the first attempt"
      }
    return failure(.dns, at: .dns, "no address for \(host)\(cause)", retryable: answer != .noSuchName)
  }
}

/// A response whose body is yet to be decoded, beside the loop.
struct CollectedResponse: Sendable {
  let order: FetchOrder
  let response: FetchResponse
  let body: CollectedBody

  func answer(_ decoded: CollectedBody.Decoded, at now: Int64) -> Result<FetchResponse, Failure> {
    if order.ticket.isCancelled { return .failure(order.request.cancellation(at: .body)) }
    guard let end = decoded.end else { return .success(overdue(at: now)) }
    var response = response
    response.body = decoded.bytes
    return .success(order.complete(response, end))
  }

  func overdue(at now: Int64) -> FetchResponse {
    var response = response
    response.fail(order.timeout(at: .body, "decoding the body", now: now))
    return response
  }
}

extension FetchLoop {
  func decode(_ response: CollectedResponse) {
    room.setAside(response.body.wire.count)
    collected.append(response)
    decodeNext()
  }

  /// One at a time, because each may take 16 MiB and tens of milliseconds.
  func decodeNext() {
    while decoding == nil, let next = collected.first {
      let (order, body) = (next.order, next.body)
      decoding = next
      room.setAside(body.workingBytes)
      let thread = try? Thread.start(name: "body decoding", niceness: 10) { [mailbox] in
        mailbox.post(body.decoded(while: { order.isWanted }))
      }
      if thread == nil { settle(body.decoded(while: { order.isWanted })) }
    }
  }

  func settle(_ decoded: CollectedBody.Decoded) {
    guard let current = decoding.take() else { return }
    room.giveBack(current.body.workingBytes)
    for response in takeCollected(where: { $0.ticket === current.order.ticket }) {
      answers.append((response.order, response.answer(decoded, at: SystemTime.monotonicMicroseconds)))
    }
  }

  /// Gives back the memory of those that meet the condition, too.
  func takeCollected(where condition: (FetchOrder) -> Bool) -> [CollectedResponse] {
    let taken = collected.take { condition($0.order) }
    for response in taken { room.giveBack(response.body.wire.count) }
    return taken
  }
}

extension FetchOrder {
  /// Whether its caller still waits for the answer.
  fileprivate var isWanted: Bool { !ticket.isCancelled && SystemTime.monotonicMicroseconds < deadline }
}
