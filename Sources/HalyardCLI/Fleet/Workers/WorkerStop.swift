import Pipeline
import Posix

/// How a worker ends, or the service: the first SIGTERM or Ctrl-C lets it finish what it has, the second ends it at once.
final class WorkerStop: Sendable {
  static let drainSeconds = 25

  enum HangUp: Sendable {
    case reloads(@Sendable () async -> Void)
    /// The process says so, finishes what it has and ends: what started it starts another.
    case ends(saying: @Sendable () -> Void)
    /// As it does with other programs.
    case kills
  }

  private struct State {
    var signals = 0
    var last = SignalWatch.terminate
    var isLate = false
    /// Another process is to start in the place of this one.
    var isRenewal = false
  }

  private let state = Lock(State())
  private let untilInputEnds: Bool
  private let service: Systemd?
  private let hangUp: HangUp
  private let log: any Log

  /// - Parameter untilInputEnds: The end of standard input counts as a SIGTERM.
  init(untilInputEnds: Bool, _ service: Systemd?, hangUp: HangUp, log: any Log) {
    (self.untilInputEnds, self.service, self.hangUp, self.log) = (untilInputEnds, service, hangUp, log)
  }

  /// - Parameter drain: Makes `body` return when it has nothing left, or answers false when it has nothing yet and may be
  ///   cancelled; nil when it may be at any time.
  func run(
    _ body: @escaping @Sendable () async throws -> Void, drain: (@Sendable () async -> Bool)?
  ) async throws -> ExitCode {
    let (begin, beginning) = AsyncStream<Void>.makeStream()
    let task = Task {
      // Not before signals are watched: from its READY on, a service manager may send some.
      for await _ in begin {}
      try await body()
    }
    let finish: @Sendable () -> Void = { [self] in
      guard let drain else { return task.cancel() }
      Task {
        guard await drain() else { return task.cancel() }
        try? await Task.sleep(for: .seconds(Self.drainSeconds))
        state.withLock { $0.isLate = true }
        log.record(
          .warning, "ends with work left: it took too long",
          [LogField("seconds", Self.drainSeconds)])
        task.cancel()
      }
    }
    try watchSignals(finish: finish, end: { task.cancel() })
    beginning.finish()
    do {
      try await task.value
    } catch is CancellationError {
      // Asked for.
    }
    return state.withLock { state in
      if state.signals > 1 || state.isLate { return ExitCode(endedBy: state.last) }
      return state.isRenewal && state.signals == 0 ? .startAgain : .ok
    }
  }

  private func watchSignals(
    finish: @escaping @Sendable () -> Void, end: @escaping @Sendable () -> Void
  ) throws {
    let caught: @Sendable (Int32) -> Void = { [self] signal in
      let count = state.withLock { state in
        state.signals += 1
        state.last = signal
        return state.signals
      }
      guard count == 1 else { return end() }
      service?.tell([.stopping, .status("finishing what is under way")])
      finish()
    }
    var signals = [SignalWatch.interrupt, SignalWatch.terminate]
    if case .kills = hangUp {} else { signals.append(SignalWatch.hangUp) }
    try SignalWatch.start(signals, always: [SignalWatch.hangUp]) { [self] signal in
      guard signal == SignalWatch.hangUp else { return caught(signal) }
      switch hangUp {
      case .reloads(let reload): Task { await reload() }
      case .ends(let saying):
        state.withLock { $0.isRenewal = true }
        saying()
        finish()
      case .kills: break
      }
    }
    guard untilInputEnds else { return }
    _ = try Thread.start(name: "input") {
      while let chunk = try? Descriptor.standardInput.readChunk(), !chunk.isEmpty {}
      caught(SignalWatch.terminate)
    }
  }
}
