internal import Curl
internal import Pipeline

/// What a transfer's end means: every way to end leads through here.
extension Transfer {
  enum Outcome {
    case answer(Result<FetchResponse, Failure>)
    /// No address was found; why decides about another attempt.
    case nameUnknown(Ending)
    /// The body needs so much memory, and there is less.
    case noRoom(Int)
    /// This machine had no descriptor, buffer or port left for it, which says nothing about the host.
    case shortage(Failure)
    /// All came, and the body is yet to be decoded, which takes long.
    case collected(CollectedResponse)
  }

  func ended(with code: CurlCode, order: FetchOrder) -> Outcome {
    if let cut = receiver.cut { return ended(by: cut, order: order) }
    if let refusal = receiver.refusal { return .answer(.failure(refusal.failure(for: order.request))) }
    if let failure = proxysRefusal(of: order) { return .answer(.failure(failure)) }
    if code == .ok {
      guard receiver.headers.isComplete else { return .answer(.failure(headerless(order))) }
      return complete(order)
    }
    let ending = ending(code, of: order)
    if let failure = ending.ownShortage { return .shortage(failure) }
    let collected = receiver.body.collected
    if let completeness = ending.completeness(hasBody: !receiver.body.sink.bytes.isEmpty || collected != nil)
    {
      let response = response(truncated: completeness == .truncated)
      return collected.map { .collected(CollectedResponse(response: response, body: $0)) }
        ?? .answer(.success(response))
    }
    if code == .unresolvedHost { return .nameUnknown(ending) }
    return .answer(answer(ending.failure))
  }

  /// The answer when a limit is passed at `now`; nil while there is time.
  func overdue(at now: Int64) -> Result<FetchResponse, Failure>? {
    guard let order else { return nil }
    let phase = receiver.phase
    let limit = receiver.passedLimit(at: now)
    guard limit != nil || now >= order.deadline else { return nil }
    // All that was needed is there. Something in a page that did not come in time may be missed.
    if phase.isForGoodMeasure { return .success(response(truncated: phase == .startOfPage)) }
    guard let limit else {
      return answer(order.timeout(at: phase.stage, phase.activity, now: now))
    }
    return answer(order.timeout(at: phase.stage, phase.activity, milliseconds: limit))
  }

  private func ended(by cut: Receiver.Cut, order: FetchOrder) -> Outcome {
    switch cut {
    case .noRoom: return .noRoom(receiver.body.wholeShare)
    case .enough: return complete(order)
    case .headersTooLarge:
      let cause = "the headers are larger than \(settings.headerCapBytes) bytes"
      return .answer(answer(order.request.failure(.headerTooLarge, at: .headers, cause)))
    case .bodyTooLarge(let cap): return .answer(answer(order.tooLarge(cap: cap)))
    case .tooManyCodings(let count):
      let cause = "the body is encoded \(count) times over; twice is the most that is undone"
      return .answer(answer(order.request.failure(.protocolError, at: .body, cause)))
    case .undecodable(let end): return .answer(.success(order.complete(response(truncated: false), end)))
    }
  }

  /// All came that was wanted.
  private func complete(_ order: FetchOrder) -> Outcome {
    let isCut = receiver.body.sink.isTruncated
    if let collected = receiver.body.collected {
      return .collected(CollectedResponse(response: capped(response(truncated: isCut)), body: collected))
    }
    guard !receiver.phase.isForGoodMeasure, !isCut else {
      return .answer(.success(capped(response(truncated: isCut))))
    }
    let end = receiver.body.finish()
    return .answer(.success(order.complete(response(truncated: false), end)))
  }

  private func capped(_ response: FetchResponse) -> FetchResponse {
    var response = response
    response.isCapped = response.truncated
    return response
  }

  /// A failure of the body leaves the head of the response standing.
  private func answer(_ failure: Failure) -> Result<FetchResponse, Failure> {
    guard receiver.headers.isComplete else { return .failure(failure) }
    // All that was needed is there.
    guard !receiver.phase.isForGoodMeasure else { return .success(response(truncated: false)) }
    return .success(response(truncated: true, bodyFailure: failure))
  }

  /// libcurl takes a header that is cut off for a whole response.
  private func headerless(_ order: FetchOrder) -> Failure {
    order.request.failure(
      .protocolError, at: .headers, "the peer closed in the middle of the headers", retryable: true)
  }

  /// The answer of an exchange whose connection received more than it may, with what there is of it.
  func flooded(_ order: FetchOrder) -> Result<FetchResponse, Failure> {
    let cap = settings.trafficCapBytes
    guard receiver.headers.isComplete else {
      let cause = "the server sent more than \(cap) bytes, and its headers were not over"
      return .failure(order.request.failure(.headerTooLarge, at: receiver.phase.stage, cause))
    }
    if case .page = order.request.body, !receiver.body.sink.bytes.isEmpty {
      return .success(response(truncated: true))
    }
    let cause = "the server sent more than \(cap) bytes that are mostly none of the body"
    return answer(order.request.failure(.protocolError, at: .body, cause))
  }

  /// What a proxy without the right password answers in the server's place; nil when it does not.
  private func proxysRefusal(of order: FetchOrder) -> Failure? {
    guard settings.proxy != nil, receiver.headers.isComplete, receiver.headers.status == 407 else {
      return nil
    }
    return order.request.proxyWantsPassword
  }
}
