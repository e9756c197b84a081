import Pipeline
import Posix

/// Collects messages to one receiver and sends them in bursts, in the order they were added.
///
/// Sending that has to wait is a task of its own: a role that waited until a full receiver has room would not receive
/// meanwhile, and two of them could wait for each other for ever. What waits here is bounded by the credit of the lane.
final class Outbox: Sendable {
  private struct State: Sendable {
    var pending: [Envelope] = []
    var isSending = false
  }

  let address: Address
  /// That of the lane, which its other end knows.
  let secret: LaneSecret
  let outlet: any Outlet
  private let ports: RolePorts
  private let state = Lock(State())

  private init(_ address: Address, _ secret: LaneSecret, _ outlet: any Outlet, _ ports: RolePorts) {
    (self.address, self.secret, self.outlet, self.ports) = (address, secret, outlet, ports)
  }

  /// - Parameter inbox: Is told when the lane goes up and down.
  static func connect(
    to address: Address, notifying inbox: (any Inbox)? = nil, _ ports: RolePorts, secret: LaneSecret
  ) async throws -> Outbox {
    Outbox(address, secret, try await ports.transport.connect(to: address, notifying: inbox), ports)
  }

  func add(_ message: Message, laneSequence: UInt64 = 0) {
    state.withLock { $0.pending.append(Envelope(message, laneSequence: laneSequence, secret: secret)) }
  }

  /// Adds a HELLO. One that still waits is out of date, and dropped: the lane may be down for hours.
  func add(latest hello: Hello) {
    state.withLock { state in
      state.pending.removeAll { envelope in
        if case .hello = envelope.message { true } else { false }
      }
      state.pending.append(Envelope(.hello(hello), secret: secret))
    }
  }

  /// Something is on its way or held up: to repeat it would only make the queue longer.
  var isSending: Bool { state.withLock { $0.isSending } }

  /// Starts sending what was added, unless that is going on already.
  func flush() {
    guard startsSending() else { return }
    while let burst = takePending() {
      if outlet.offer(burst) { continue }
      Task(executorPreference: ports.executor) {
        await self.send(burst)
        await self.flushed()
      }
      return
    }
  }

  /// Sends what was added, and returns when it is sent.
  func flushed() async {
    while let burst = takePending() { await send(burst) }
  }

  private func startsSending() -> Bool {
    state.withLock { state in
      guard !state.isSending, !state.pending.isEmpty else { return false }
      state.isSending = true
      return true
    }
  }

  private func send(_ burst: [Envelope]) async {
    do {
      try await outlet.send(burst)
    } catch TransportError.closed {
      ports.log.record(.debug, "receiver is gone", [LogField("messages", burst.count)])
    } catch {
      ports.log.record(
        .warning, "burst not sent", [LogField("messages", burst.count), LogField("cause", "\(error)")])
    }
  }

  private func takePending() -> [Envelope]? {
    state.withLock { state in
      state.isSending = !state.pending.isEmpty
      defer { state.pending = [] }
      return state.isSending ? state.pending : nil
    }
  }
}
