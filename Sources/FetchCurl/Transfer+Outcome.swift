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
    /// All came, and the body is yet to be decoded, which takes long.
    case collected(CollectedResponse)
  }

  func ended(with code: CurlCode, order: FetchOrder) -> Outcome {
    if let cut = receiver.cut { return ended(by: cut, order: order) }
    if let refusal = receiver.refusal { return .answer(.failure(blocked(refusal, order))) }
    if code == .ok { return complete(order) }
    let ending = ending(code, of: order)
    let collected = receiver.body.collected
    if let completeness = ending.completeness(hasBody: !receiver.body.sink.bytes.isEmpty || collected != nil)
    {
      let response = response(truncated: completeness == .truncated)
      return collected.map { .collected(CollectedResponse(response, $0)) } ?? .answer(.success(response))
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
      return .answer(answer(order.failure(.headerTooLarge, at: .headers, cause)))
    case .bodyTooLarge(let cap): return .answer(answer(order.tooLarge(cap: cap)))
    case .tooManyCodings(let count):
      let cause = "the body is encoded \(count) times over; twice is the most that is undone"
      return .answer(answer(order.failure(.protocolError, at: .body, cause)))
    case .undecodable(let end): return .answer(.success(order.complete(response(truncated: false), end)))
    }
  }

  /// All came that was wanted.
  private func complete(_ order: FetchOrder) -> Outcome {
    let isCut = receiver.body.sink.isTruncated
    if let collected = receiver.body.collected {
      return .collected(CollectedResponse(response(truncated: isCut), collected))
    }
    guard !receiver.phase.isForGoodMeasure, !isCut else {
      return .answer(.success(response(truncated: isCut)))
    }
    let end = receiver.body.finish()
    return .answer(.success(order.complete(response(truncated: false), end)))
  }

  /// A failure of the body leaves the head of the response standing.
  private func answer(_ failure: Failure) -> Result<FetchResponse, Failure> {
    guard receiver.headers.isComplete else { return .failure(failure) }
    // All that was needed is there.
    guard !receiver.phase.isForGoodMeasure else { return .success(response(truncated: false)) }
    return .success(response(truncated: true, bodyFailure: failure))
  }

  private func blocked(_ refusal: Refusal, _ order: FetchOrder) -> Failure {
    refusal.failure(for: order.request)
  }
}
