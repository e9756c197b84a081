import JSONQuery
import Pipeline
import Scheduling

/// Who may say what. A worker speaks for itself alone, and each lane has its rights.
extension Aggregator {
  func admits(_ envelope: Envelope) -> Bool {
    if let worker = envelope.message.speaker, !isProven(worker, by: envelope.secret) {
      return refuse(envelope, because: "it was sent in another worker's name")
    }
    guard mayBeSaid(envelope) else { return refuse(envelope, because: "its sender has no right to it") }
    return true
  }

  /// The hash is only needed for workers that have not spoken to this aggregator.
  private func isProven(_ worker: WorkerID, by secret: LaneSecret) -> Bool {
    registry.secret(of: worker).map { $0 == secret } ?? worker.isProven(by: secret)
  }

  private func mayBeSaid(_ envelope: Envelope) -> Bool {
    switch envelope.message {
    case .hello(let hello): LaneRights.work(as: hello.role).map { has($0, envelope) } ?? false
    case .credit, .hostSlotRequest: envelope.rights.contains(.fetcher)
    case .result, .giveBack, .bye: !envelope.rights.isDisjoint(with: [.fetcher, .decoder])
    case .ask(let ask): has(questions.right(of: ask.name), envelope)
    case .submit, .cancel, .drain, .query: has(.client, envelope)
    // These are for others, and are counted as strays.
    case .roster, .receipt, .job, .document, .ack, .answer, .tell, .hostSlotGrant: true
    }
  }

  /// Over Unix sockets everybody may decode, and who has read the run directory's key may do all.
  private func has(_ right: LaneRights, _ envelope: Envelope) -> Bool {
    guard envelope.rights.contains(right) else { return false }
    guard let key = settings.runKey, right != .decoder else { return true }
    return key.hasMade(envelope.secret)
  }

  /// - Returns: False.
  func refuse(_ envelope: Envelope, because cause: String) -> Bool {
    let claim = claim(of: envelope.message)
    work.refusedMessages.change(claim.rawValue) { $0 += 1 }
    if let count = refused.came(at: ports.clock.now) {
      ports.log.record(
        .warning, "message refused",
        envelope.message.logFields
          + [LogField("claims", claim.rawValue), LogField("cause", cause), LogField("times", count)])
    }
    return false
  }

  private func claim(of message: Message) -> RefusedMessages.Claim {
    let role: Role? =
      if case .hello(let hello) = message { hello.role } else {
        message.speaker.flatMap { registry.workers[$0]?.role }
      }
    return switch role {
    case .fetcher: .fetcher
    case .decoder: .decoder
    case .producer, .aggregator, nil: message.speaker == nil ? .client : .worker
    }
  }
}
