import Pipeline

/// Collects messages to one receiver and sends them in bursts, in the order they were added. It belongs to one
/// actor: while a burst is on its way, what is added meanwhile becomes the next one.
final class Outbox {
  private let outlet: any Outlet
  private let log: any Log
  private var pending: [Envelope] = []
  private var isSending = false

  init(_ outlet: any Outlet, log: any Log) {
    self.outlet = outlet
    self.log = log
  }

  func add(_ message: Message, laneSequence: UInt64 = 0) {
    pending.append(Envelope(message, laneSequence: laneSequence))
  }

  /// A burst that cannot be sent is dropped: whoever needs an answer to it sends it again.
  func flush() async {
    guard !isSending else { return }
    isSending = true
    defer { isSending = false }
    while !pending.isEmpty {
      let burst = pending
      pending = []
      do {
        try await outlet.send(burst)
      } catch {
        log.record(
          .warning, "burst not sent", [LogField("messages", burst.count), LogField("cause", "\(error)")])
        return
      }
    }
  }
}
