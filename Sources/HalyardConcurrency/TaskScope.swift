/// Why a scope starts nothing more.
public enum TaskScopeError: Error, Hashable, Sendable {
  /// The scope has ended, was cancelled, or some work in it has failed.
  case over
  /// The task that wanted to start something, or to wait for it, was cancelled.
  case interrupted
}

extension TaskScopeError: CancellationReporting {
  /// True for a task that was cancelled. A scope that is over may have failed.
  public var reportsCancellation: Bool { self == .interrupted }
}

/// Runs `body` with a scope for work beside it, and returns when both have ended: nothing that was started in the scope
/// outlives it.
///
/// When `body` returns, the scope waits for what still runs. When `body` throws, or the calling task is cancelled, what runs
/// is cancelled and waited for. Work that runs until it is cancelled needs `scope.cancel()`, such as in a `defer` of `body`.
///
/// The first work that fails cancels the rest, and its error is thrown here once `body` has ended. `body` itself is not
/// cancelled: one that waits for what the work sends should be told by it, such as by a channel closed in a `defer`. What
/// work throws after ``TaskScope/cancel()``, or after `body` has thrown, is dropped.
///
/// - Parameters:
///   - limit: How much work runs at once, at least 1; more waits in ``TaskScope/start(_:)``. Nil for any number.
///   - executor: Where the work prefers to run; nil for where `body` does.
public func withTaskScope<Answer>(
  limit: Int? = nil, on executor: (any TaskExecutor)? = nil, _ body: (TaskScope) async throws -> Answer
) async throws -> Answer {
  let work = ScopedWork(limit: limit)
  async let running: Void = work.runAll(on: executor)
  let answer: Result<Answer, any Error>
  do {
    let found = try await body(TaskScope(work))
    if !work.isOver { try await work.drain() }
    answer = .success(found)
  } catch {
    answer = .failure(error)
  }
  work.leave()
  await running
  if let failure = work.failure { throw failure }
  return try answer.get()
}

/// Where work is started that ends with the scope. May be handed to other tasks.
///
/// ``withTaskScope(limit:on:_:)`` makes one for a body. One that you make yourself can be stored, such as in an actor that
/// starts work now and then. ``wait()`` ends it, and ``cancel()`` does so early. When the last reference goes, it is cancelled.
public final class TaskScope: Sendable {
  private let work: ScopedWork
  /// Nil when a body's own task runs the work.
  private let running: Task<Void, Never>?

  /// Makes a scope that can be stored.
  ///
  /// - Parameters:
  ///   - limit: How much work runs at once, at least 1; more waits in ``start(_:)``. Nil for any number.
  ///   - executor: Where the work prefers to run; nil for Swift's thread pool.
  public init(limit: Int? = nil, on executor: (any TaskExecutor)? = nil) {
    let work = ScopedWork(limit: limit)
    self.work = work
    running = Task.detached { await work.runAll(on: executor) }
  }

  init(_ work: ScopedWork) {
    self.work = work
    running = nil
  }

  deinit {
    if running != nil { work.leave() }
  }

  /// Starts work beside the caller, and waits only while the scope has no room for it. Work that was started runs, if
  /// only to find itself cancelled. Work that starts more in a scope with a limit keeps its own place meanwhile.
  public func start(_ work: @escaping @Sendable () async throws -> Void) async throws(TaskScopeError) {
    try await self.work.start(work)
  }

  /// Waits until all that was started has ended; not for use inside that work itself. More can be started afterwards.
  public func drain() async throws(TaskScopeError) { try await work.drain() }

  /// Cancels what runs, and starts nothing more. Returns at once: ``withTaskScope(limit:on:_:)`` and ``wait()`` wait for the end.
  public func cancel() { work.leave() }

  /// Waits until all that was started has ended, and ends the scope; not for use inside that work itself.
  ///
  /// Throws the error of what failed first. If the task that waits is cancelled, what runs is cancelled and waited for.
  public func wait() async throws {
    try await withCleanup {
      if !work.isOver { try await work.drain() }
    } cleanup: {
      work.leave()
      await running?.value
    }
    if let failure = work.failure { throw failure }
  }
}
