import Posix
import Roles

/// Ctrl-C and SIGTERM in two gears: the first lets what is under way finish, the second cancels it. A third ends
/// the process on the spot.
actor Interruption {
  static let drainSeconds = 25

  private let producer: Producer
  private var count = 0
  private(set) var signal: Int32?

  init(_ producer: Producer) {
    self.producer = producer
  }

  /// Watches both signals for the rest of the process's life.
  nonisolated func watch() throws {
    try SignalWatch.start([SignalWatch.interrupt, SignalWatch.terminate]) { signal in
      Task { await self.received(signal) }
    }
  }

  private func received(_ signal: Int32) async {
    self.signal = self.signal ?? signal
    count += 1
    switch count {
    case 1:
      Message.show("halyard: finishing what is under way; once more to stop at once\n")
      Task {
        try? await Task.sleep(for: .seconds(Self.drainSeconds))
        await producer.interrupt(everything: true, cause: "interrupted; it did not finish in time")
      }
      await producer.interrupt(everything: false, cause: "interrupted before it was started")
    case 2:
      await producer.interrupt(everything: true, cause: "interrupted")
    default:
      SignalWatch.restore(signal)
      raiseSignal(signal)
    }
  }
}
