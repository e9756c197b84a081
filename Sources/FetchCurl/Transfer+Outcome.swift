internal import Curl
internal import Pipeline

/// What a transfer's end means: every way to end leads through here.
extension Transfer {
  enum Outcome {
    case answer(Result<FetchResponse, Failure>)
    /// No address was found; why decides about another attempt.
    case nameUnknown(Ending)
  }

  func ended(with code: CurlCode, order: FetchOrder) -> Outcome {
    if let cut = receiver.cut { return .answer(answer(to: cut, order: order)) }
    if let refusal = receiver.refusal { return .answer(.failure(blocked(refusal, order))) }
    if code == .ok { return .answer(.success(response(truncated: false))) }
    let ending = ending(code, of: order)
    if let completeness = ending.completeness(keeping: receiver.sink.bytes) {
      return .answer(.success(response(truncated: completeness == .truncated)))
    }
    return code == .unresolvedHost ? .nameUnknown(ending) : .answer(.failure(ending.failure))
  }

  /// The answer when a limit is passed at `now`; nil while there is time.
  func overdue(at now: Int64) -> Result<FetchResponse, Failure>? {
    guard let order else { return nil }
    let phase = receiver.phase
    let limit = phase.limit(in: settings)
    let isPhaseOver = limit.map { now >= receiver.phaseStarted.adding(milliseconds: $0) } ?? false
    guard isPhaseOver || now >= order.deadline else { return nil }
    // All that was wanted is there: only the connection is lost.
    if phase == .rest { return .success(response(truncated: false)) }
    guard isPhaseOver, let limit else {
      return .failure(order.timeout(at: phase.stage, phase.activity, now: now))
    }
    return .failure(order.timeout(at: phase.stage, phase.activity, milliseconds: limit))
  }

  /// The answer when a peer sent too many bytes that decode to nothing: only the wire shows them.
  func overrun() -> Result<FetchResponse, Failure>? {
    guard let order, easy.wireBytes > Int64(settings.wireBodyCapBytes) else { return nil }
    if receiver.phase == .rest { return .success(response(truncated: false)) }
    switch order.request.body {
    case .nothing, .startOfPage, .page: return .success(response(truncated: true))
    case .whole: return answer(to: .bodyTooLarge(cap: settings.wireBodyCapBytes), order: order)
    }
  }

  private func answer(to cut: Receiver.Cut, order: FetchOrder) -> Result<FetchResponse, Failure> {
    switch cut {
    case .enough:
      return .success(response(truncated: false))
    case .headersTooLarge:
      let cause = "the headers are larger than \(settings.headerCapBytes) bytes"
      return .failure(failure(.headerTooLarge, at: .headers, cause, order))
    case .bodyTooLarge(let cap):
      return .failure(
        failure(
          .bodyTooLarge, at: .body, "the body is larger than \(cap) bytes; allow more with --max-body", order)
      )
    }
  }

  private func blocked(_ refusal: Receiver.Refusal, _ order: FetchOrder) -> Failure {
    let advice = "allow it with --allow-address \(refusal.address)"
    return failure(
      .blockedAddress, at: .address,
      "address \(refusal.address) is refused (\(refusal.reason)); \(advice)", order)
  }

  private func failure(
    _ kind: FailureKind, at stage: Stage, _ cause: String, _ order: FetchOrder
  ) -> Failure {
    Failure(kind, at: stage, "fetch \(order.request.shownURL): \(cause)")
  }
}
