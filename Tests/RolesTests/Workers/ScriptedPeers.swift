import Pipeline
import PipelineTesting
import Posix
import Roles

/// Has these bursts to give, one after the other, and ends its role then.
final class ScriptedInbox: Inbox {
  let address: Address
  private let bursts: Lock<FIFO<[Delivery]>>
  private let beforeEach: @Sendable () -> Void

  init(_ address: Address, _ bursts: [[Delivery]], beforeEach: @escaping @Sendable () -> Void) {
    self.address = address
    self.beforeEach = beforeEach
    var queue = FIFO<[Delivery]>()
    for burst in bursts { queue.append(burst) }
    self.bursts = Lock(queue)
  }

  /// - Parameter secret: What the lane of a message carries; that of its worker when nothing is said.
  convenience init(
    _ address: Address, _ bursts: [[Message]], secret: (Message) -> LaneSecret = { Envelope.said($0).secret }
  ) {
    var sequence: UInt64 = 0
    let deliveries = bursts.map { burst in
      burst.map { message in
        guard case .document = message else {
          return Delivery.envelope(Envelope(message, secret: secret(message)))
        }
        sequence += 1
        return .envelope(Envelope(message, laneSequence: sequence, secret: secret(message)))
      }
    }
    self.init(address, deliveries, beforeEach: {})
  }

  func receive(atMost limit: Int, until moment: Moment?) async throws -> [Delivery] {
    beforeEach()
    guard let burst = bursts.withLock({ $0.popFirst() }) else { throw CancellationError() }
    return burst
  }

  func note(_ notice: LaneNotice) async {}
  func close() async {}
}

/// Takes whatever is sent at once, and keeps it.
final class RecordingTransport: Transport {
  private let record = Lock<[(to: Address, message: Message)]>([])

  func sent(to address: Address) -> [Message] {
    record.withLock { $0.filter { $0.to == address }.map(\.message) }
  }

  func bind(_ address: Address) async throws -> any Inbox { ScriptedInbox(address, []) }

  func connect(to address: Address, notifying inbox: (any Inbox)?) async throws -> any Outlet {
    RecordingOutlet { burst in
      self.record.withLock { $0 += burst.map { (address, $0.message) } }
    }
  }
}

private struct RecordingOutlet: Outlet {
  let keep: @Sendable ([Envelope]) -> Void

  func offer(_ burst: [Envelope]) -> Bool {
    keep(burst)
    return true
  }

  func send(_ burst: [Envelope]) async throws { keep(burst) }
  func receiverSpoke() {}
  func close() async {}
}
