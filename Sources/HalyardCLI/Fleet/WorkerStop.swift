import Posix

/// How a worker ends: the first SIGTERM or Ctrl-C lets it finish what it has, the second ends it at once.
final class WorkerStop: Sendable {
  static let drainSeconds = 25

  private struct State {
    var signals = 0
    var last: Int32 = 0
    var isLate = false
  }

  private let state = Lock(State())
  private let untilInputEnds: Bool
  private let service: any ServiceManager
  private let reload: @Sendable () async -> Void

  /// - Parameters:
  ///   - untilInputEnds: The end of standard input counts as a SIGTERM.
  ///   - reload: What a SIGHUP does.
  init(
    untilInputEnds: Bool, _ service: any ServiceManager, reload: @escaping @Sendable () async -> Void
  ) {
    self.untilInputEnds = untilInputEnds
    self.service = service
    self.reload = reload
  }

  /// - Parameter drain: Makes `body` return when it has nothing left; nil when it may be cancelled at any time.
  func run(
    _ body: @escaping @Sendable () async throws -> Void, drain: (@Sendable () async -> Void)?
  ) async throws -> ExitCode {
    let task = Task { try await body() }
    let caught: @Sendable (Int32) -> Void = { [self] signal in
      let count = state.withLock { state in
        state.signals += 1
        state.last = signal
        return state.signals
      }
      if count == 1 { service.tell([.stopping, .status("finishing what is under way")]) }
      guard count == 1, let drain else { return task.cancel() }
      Task {
        await drain()
        try? await Task.sleep(for: .seconds(Self.drainSeconds))
        self.state.withLock { $0.isLate = true }
        task.cancel()
      }
    }
    let signals = [SignalWatch.interrupt, SignalWatch.terminate, SignalWatch.hangUp]
    try SignalWatch.start(signals, always: [SignalWatch.hangUp]) { [reload] signal in
      if signal == SignalWatch.hangUp { Task { await reload() } } else { caught(signal) }
    }
    if untilInputEnds {
      _ = try Thread.start(name: "input") {
        while let chunk = try? readChunk(0), !chunk.isEmpty {}
        caught(SignalWatch.terminate)
      }
    }
    do {
      try await task.value
    } catch is CancellationError {
      // Asked for.
    }
    return state.withLock { state in
      state.signals > 1 || state.isLate ? ExitCode(endedBy: state.last) : .ok
    }
  }
}
