internal import Curl
internal import Pipeline

/// What a transfer's end means: every way to end leads through here.
extension Transfer {
  enum Outcome {
    case answer(Result<FetchResponse, Failure>)
    /// No address was found; why decides about another attempt.
    case nameUnknown(Ending)
    /// Not one byte of the body could be decoded: perhaps it is not encoded at all.
    case undecodable
    /// The body needs so much memory, and there is less.
    case noRoom(Int)
  }

  func ended(with code: CurlCode, order: FetchOrder) -> Outcome {
    if case .noRoom? = receiver.cut { return .noRoom(receiver.wholeShare) }
    if let cut = receiver.cut { return .answer(answer(to: cut, order: order)) }
    if let refusal = receiver.refusal { return .answer(.failure(blocked(refusal, order))) }
    if code == .ok { return .answer(.success(complete(order))) }
    let ending = ending(code, of: order)
    if let completeness = ending.completeness(keeping: receiver.sink.bytes) {
      return .answer(.success(response(truncated: completeness == .truncated)))
    }
    if code == .unresolvedHost { return .nameUnknown(ending) }
    if ending.isUndecodable, !order.isPlain, receiver.sink.bytes.isEmpty { return .undecodable }
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

  /// The answer when a peer sent too many bytes that decode to nothing: only the wire shows them.
  func overrun() -> Result<FetchResponse, Failure>? {
    guard let order, easy.wireBytes > Int64(settings.wireBodyCapBytes) else { return nil }
    if receiver.phase.isForGoodMeasure { return .success(response(truncated: false)) }
    switch order.request.body {
    case .nothing, .startOfPage, .page: return .success(response(truncated: true))
    case .whole: return answer(to: .bodyTooLarge(cap: settings.wireBodyCapBytes), order: order)
    }
  }

  /// The response, unless it was taken as it came and turns out to be encoded after all.
  private func complete(_ order: FetchOrder) -> FetchResponse {
    let isGarbled = order.isPlain && receiver.headers.codings > 0 && !PlainText.fits(receiver.sink.bytes)
    guard isGarbled else { return response(truncated: false) }
    let cause = "the body's content encoding is broken"
    return response(truncated: true, bodyFailure: failure(.protocolError, at: .body, cause, order))
  }

  private func answer(to cut: Receiver.Cut, order: FetchOrder) -> Result<FetchResponse, Failure> {
    switch cut {
    case .enough, .noRoom:
      return .success(complete(order))
    case .headersTooLarge:
      let cause = "the headers are larger than \(settings.headerCapBytes) bytes"
      return answer(failure(.headerTooLarge, at: .headers, cause, order))
    case .bodyTooLarge(let cap):
      let cause = "the body is larger than \(cap) bytes; allow more with --max-body"
      return answer(failure(.bodyTooLarge, at: .body, cause, order))
    case .tooManyCodings(let count):
      let cause = "the body is encoded \(count) times over; twice is the most that is undone"
      return answer(failure(.protocolError, at: .body, cause, order))
    }
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

  private func failure(
    _ kind: FailureKind, at stage: Stage, _ cause: String, _ order: FetchOrder
  ) -> Failure {
    Failure(kind, at: stage, "fetch \(order.request.shownURL): \(cause)")
  }
}
