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

  private let outlet: any Outlet
  private let secret: LaneSecret
  private let ports: RolePorts
  private let state = Lock(State())

  /// - Parameter secret: That of the lane, which its other end knows.
  init(_ outlet: any Outlet, ports: RolePorts, secret: LaneSecret) {
    self.outlet = outlet
    self.secret = secret
    self.ports = ports
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

  /// The receiver is alive: see `Outlet.receiverSpoke`.
  func receiverSpoke() {
    outlet.receiverSpoke()
  }

  /// See `Outlet.refusal`.
  var refusal: String? { outlet.refusal }

  /// Ends the lane; what was not sent yet is lost.
  func close() async {
    await outlet.close()
  }

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
