package import Pipeline

/// Workers with numbers, whose secrets a test knows.
extension LaneSecret {
  package static func numbered(_ number: UInt64) -> LaneSecret { LaneSecret(high: number, low: ~number) }
}

extension WorkerID {
  /// They ascend with their numbers.
  package static func numbered(_ number: UInt64) -> WorkerID {
    WorkerID(
      at: Moment(unixMilliseconds: 1_700_000_000_000 + Int64(number)), provenBy: .numbered(number))
  }
}

extension Envelope {
  /// What a numbered worker says of itself, with its secret, or what anybody says that needs none.
  package static func said(_ message: Message, laneSequence: UInt64 = 0) -> Envelope {
    Envelope(
      message, laneSequence: laneSequence, secret: message.speaker.flatMap { secrets[$0] } ?? .none)
  }

  private static let secrets = Dictionary(
    uniqueKeysWithValues: (UInt64(0)...99).map { (WorkerID.numbered($0), LaneSecret.numbered($0)) })
}

extension LeaseToken {
  /// As the memory ledger's aggregators seal it.
  package static func sealed(_ value: UInt64, of job: JobID) -> LeaseToken {
    LeaseKey(high: 0, low: 0).token(value, of: job)
  }
}
