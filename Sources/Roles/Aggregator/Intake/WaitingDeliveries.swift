import Pipeline

/// What comes while a commit is under way or fails, in its order: bounded in number and in bytes, because the disk can be
/// full for hours and peers go on sending.
struct WaitingDeliveries {
  static let most = 1_000
  static let mostBytes = 64 << 20

  private var deliveries: [Delivery] = []
  private(set) var bytes = 0

  var isEmpty: Bool { deliveries.isEmpty }
  var count: Int { deliveries.count }

  /// How many more may be taken at once: none when half of the bytes are used, because one burst can be large.
  var room: Int { bytes < Self.mostBytes / 2 ? max(0, Self.most - deliveries.count) : 0 }

  /// Beyond the bounds it keeps only messages that are never repeated, and a bounded number of those.
  mutating func add(_ delivery: Delivery) {
    let size = delivery.bytes
    let isFull = deliveries.count >= Self.most || bytes + size > Self.mostBytes
    guard !isFull || !delivery.comesAgain && bytes + size <= 2 * Self.mostBytes else { return }
    append(delivery)
  }

  /// Of a burst that there was room for.
  mutating func append(_ delivery: Delivery) {
    deliveries.append(delivery)
    bytes += delivery.bytes
  }

  mutating func takeAll() -> [Delivery] {
    defer { self = WaitingDeliveries() }
    return deliveries
  }
}

extension Delivery {
  /// What it takes, more or less.
  var bytes: Int {
    switch self {
    case .envelope(let envelope): EnvelopeCodec.bytes(of: envelope.message)
    case .lane: 0
    }
  }

  /// Its sender repeats it, or what makes up for it, until it is answered.
  fileprivate var comesAgain: Bool {
    guard case .envelope(let envelope) = self else { return false }
    switch envelope.message {
    case .hello, .submit, .result, .credit, .query, .ask, .hostSlotRequest: return true
    case .roster, .receipt, .job, .document, .ack, .giveBack, .cancel, .drain, .bye, .answer, .tell,
      .hostSlotGrant:
      return false
    }
  }
}
