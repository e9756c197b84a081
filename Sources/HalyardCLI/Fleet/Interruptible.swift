import Posix

/// Work that Ctrl-C and SIGTERM end, with everything put away that it had open.
enum Interruptible {
  static func run(_ body: @escaping @Sendable () async throws -> ExitCode) async throws -> ExitCode {
    let caught = Lock<Int32?>(nil)
    let task = Task { try await body() }
    try SignalWatch.start([SignalWatch.interrupt, SignalWatch.terminate]) { signal in
      caught.withLock { $0 = $0 ?? signal }
      task.cancel()
    }
    do {
      return try await task.value
    } catch is CancellationError {
      guard let signal = caught.withLock({ $0 }) else { throw CancellationError() }
      return ExitCode(endedBy: signal)
    }
  }
}
