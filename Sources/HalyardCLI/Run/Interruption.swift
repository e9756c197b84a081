import Posix
import Roles

/// Ctrl-C and SIGTERM in two gears: the first lets what is under way finish, the second cancels it. A third ends
/// the process on the spot, and so does a timeout while the rows are not being read.
actor Interruption {
  static let timeoutSeconds = 3

  private let producer: Producer
  private let user: PipelineRun.User
  private var count = 0
  private(set) var signal: Int32?

  init(_ producer: Producer, for user: PipelineRun.User) {
    self.producer = producer
    self.user = user
  }

  /// To be called now and then: ends a run without a working fleet when it is interrupted or has waited long enough.
  func look() async {
    if signal != nil && user.isStuck() || user.hasGivenUp() { await producer.abandon() }
  }

  /// Watches both signals for the rest of the process's life.
  nonisolated func watch() throws {
    try Console.standardError.startWriter()
    try SignalWatch.start([SignalWatch.interrupt, SignalWatch.terminate]) { signal in
      Task { await self.received(signal) }
    }
  }

  private func received(_ signal: Int32) async {
    self.signal = self.signal ?? signal
    count += 1
    if count < 3, user.isStuck() { return await producer.abandon() }
    switch count {
    case 1:
      say("halyard: \(user.interruption)\n")
      Task {
        try? await Task.sleep(for: .seconds(WorkerStop.drainSeconds))
        await stop(signal, cause: "interrupted; it did not finish in time")
      }
      await producer.interrupt(everything: false, cause: "interrupted")
    case 2:
      await stop(signal, cause: "interrupted")
    default:
      Self.end(signal)
    }
  }

  private func stop(_ signal: Int32, cause: String) async {
    Task {
      try? await Task.sleep(for: .seconds(Self.timeoutSeconds))
      say("halyard: the rows are not being read; ended without the last ones\n") { Self.end(signal) }
      try? await Task.sleep(for: .seconds(1))
      Self.end(signal)
    }
    await producer.interrupt(everything: true, cause: cause)
  }

  private static func end(_ signal: Int32) {
    SignalWatch.restore(signal)
    raiseSignal(signal)
  }

  /// Who does not take the rows may not take messages either.
  private func say(_ text: String, then next: @escaping @Sendable () -> Void = {}) {
    Console.standardError.soon {
      Message.show(text)
      next()
    }
  }
}

extension ExitCode {
  /// How a run ends that a signal ended early.
  init(endedBy signal: Int32) {
    self = signal == SignalWatch.terminate ? .terminated : .interrupted
  }
}
