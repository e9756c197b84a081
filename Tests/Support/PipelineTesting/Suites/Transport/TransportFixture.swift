package import Pipeline
import Posix
import Testing

/// A transport to be proved, with what its rules need to know about it.
package struct TransportFixture: Sendable {
  let transport: any Transport
  /// The clock the transport was made with.
  let clock: ManualClock
  /// Messages one lane takes, at most, while its receiver does not read.
  let roomOfALane: Int
  /// A lane lives no longer than its outlet, so rules that drop theirs would lose what is under way.
  private let outlets = Lock<[any Outlet]>([])
  private let makeAddress: @Sendable (_ name: String) -> Address

  package init(
    _ transport: any Transport, clock: ManualClock, roomOfALane: Int,
    address: @escaping @Sendable (_ name: String) -> Address
  ) {
    self.transport = transport
    self.clock = clock
    self.roomOfALane = roomOfALane
    makeAddress = address
  }

  func address(_ name: String = "inbox") -> Address { makeAddress(name) }

  func bind(_ name: String = "inbox") async throws -> any Inbox {
    try await transport.bind(address(name))
  }

  func connect(to name: String = "inbox", notifying inbox: (any Inbox)? = nil) async throws -> any Outlet {
    let outlet = try await transport.connect(to: address(name), notifying: inbox)
    outlets.withLock { $0.append(outlet) }
    return outlet
  }

  /// An inbox and one lane to it.
  func lane() async throws -> (inbox: any Inbox, outlet: any Outlet) {
    let inbox = try await bind()
    return (inbox, try await connect())
  }

  func moment(inMilliseconds milliseconds: Int64) -> Moment {
    clock.now.advanced(byMilliseconds: milliseconds)
  }
}

/// Messages that a rule can tell apart.
enum Numbered {
  static func envelopes(_ numbers: some Sequence<UInt64>, from sender: UInt64 = 0) -> [Envelope] {
    let worker = WorkerID(UUIDv7(high: 0x7000, low: 1 << 63 | sender))
    return numbers.map { Envelope(.bye(Bye(worker: worker)), laneSequence: $0) }
  }

  /// A message of so many bytes, and some.
  static func large(_ bytes: [UInt8]) -> Message {
    let row = NumberedRow(number: 1, ordinal: 0, failure: nil, json: bytes)
    return .answer(.rows(of: BatchID(UUIDv7(high: 0x7000, low: 1 << 63)), after: 0, [row]))
  }

  static func numbers(_ envelopes: [Envelope]) -> [UInt64] { envelopes.map(\.laneSequence) }

  static func numbers(_ deliveries: [Delivery]) -> [UInt64] { numbers(deliveries.envelopes) }

  static func sender(_ envelope: Envelope) -> UInt64? {
    guard case .bye(let bye) = envelope.message else { return nil }
    return bye.worker.uuid.low & ~(1 << 63)
  }
}

extension Inbox {
  /// The next messages, exactly that many.
  func take(_ count: Int, atMost limit: Int = 64) async throws -> [Envelope] {
    var taken: [Envelope] = []
    while taken.count < count {
      taken += try await receive(atMost: min(limit, count - taken.count), until: nil).envelopes
    }
    return taken
  }
}

/// A sender that runs beside the rule and counts what the transport has taken.
struct BusySender {
  private let taken = Lock(0)
  private let task: Task<Void, any Error>

  init(_ outlet: any Outlet, sends count: Int) {
    task = Task { [taken] in
      for number in 0..<UInt64(count) {
        try await outlet.send(Numbered.envelopes([number]))
        taken.withLock { $0 += 1 }
      }
    }
  }

  /// How many were taken once nothing moves any more.
  func stuckAt() async -> Int {
    var before = -1
    var now = taken.withLock { $0 }
    while now != before {
      before = now
      for _ in 0..<200 { await Task.yield() }
      now = taken.withLock { $0 }
    }
    return now
  }

  /// How many were taken in all, once the sender has ended.
  var count: Int { taken.withLock { $0 } }

  func cancel() { task.cancel() }

  /// Throws what the sender threw.
  func finish() async throws { try await task.value }
}
