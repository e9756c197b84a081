/// A thread that does blocking calls one after another for tasks, which must not block the threads they run on.
public final class BlockingWorker: Sendable {
  private let state: Lock<[@Sendable () -> Void]>
  private let available: Permits
  private let stop: StopSignal

  public init(name: String) throws(PosixError) {
    let state = Lock<[@Sendable () -> Void]>([])
    let available = try Permits(0)
    let stop = try StopSignal()
    (self.state, self.available, self.stop) = (state, available, stop)
    _ = try Thread.start(name: name) {
      while (try? available.take(unless: stop)) != nil {
        let job = state.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        job?()
      }
    }
  }

  deinit {
    stop.raise()
  }

  /// Has `body` run on the thread, and does not wait for it.
  public func start(_ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.append(body) }
    available.giveBack()
  }

  /// Runs `body` on the thread. When the calling task is cancelled this throws at once; a call that blocks is
  /// left to itself, and what it returns is dropped.
  public func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    let waiter = Waiter<Value>()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        waiter.wait(continuation)
        start { waiter.finish(Result(catching: body)) }
      }
    } onCancel: {
      waiter.finish(.failure(CancellationError()))
    }
  }
}

/// Resumes a continuation once, at the first call.
private final class Waiter<Value: Sendable>: Sendable {
  private enum State: Sendable {
    case idle
    case waiting(CheckedContinuation<Value, any Error>)
    case finished(Result<Value, any Error>?)
  }

  private let state = Lock(State.idle)

  func wait(_ continuation: CheckedContinuation<Value, any Error>) {
    let early: Result<Value, any Error>? = state.withLock { state in
      guard case .finished(let result) = state else {
        state = .waiting(continuation)
        return nil
      }
      return result
    }
    if let early { continuation.resume(with: early) }
  }

  func finish(_ result: Result<Value, any Error>) {
    let continuation: CheckedContinuation<Value, any Error>? = state.withLock { state in
      switch state {
      case .idle:
        state = .finished(result)
        return nil
      case .waiting(let continuation):
        state = .finished(nil)
        return continuation
      case .finished: return nil
      }
    }
    continuation?.resume(with: result)
  }
}
