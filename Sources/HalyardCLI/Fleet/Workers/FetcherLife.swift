import Pipeline
import Posix
import Roles

/// What a fetcher's process is at: it may ask the fleet for options first, then it works. Either can be told to end.
final class FetcherLife: Sendable {
  private struct State {
    var isDraining = false
    var asking: Task<FetchOptions?, any Error>?
    var fetcher: Fetcher?
  }

  private let state = Lock(State())

  func drain() async {
    let fetcher = state.withLock { state in
      state.isDraining = true
      state.asking?.cancel()
      return state.fetcher
    }
    await fetcher?.drain()
  }

  /// Cancelled when the process is told to end meanwhile.
  func asks(_ ask: @escaping @Sendable () async throws -> FetchOptions?) async throws -> FetchOptions? {
    let task = Task { try await ask() }
    let isDraining = state.withLock { state in
      state.asking = task
      return state.isDraining
    }
    if isDraining { task.cancel() }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// - Parameter run: The fetcher's work, to its end.
  func works(_ fetcher: Fetcher, _ run: () async throws -> Void) async throws {
    let isDraining = state.withLock { state in
      state.fetcher = fetcher
      return state.isDraining
    }
    if isDraining { await fetcher.drain() }
    try await run()
  }

  /// With which exit code the process ends when its work is done.
  var exitCode: ExitCode {
    get async {
      guard let fetcher = state.withLock({ $0.fetcher }) else { return .ok }
      if await fetcher.needsOtherOptions { return .startAgain }
      return await fetcher.wasToldToEnd ? .drained : .ok
    }
  }
}
