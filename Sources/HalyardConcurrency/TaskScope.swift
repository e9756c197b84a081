internal import Posix

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

/// What runs in a scope, apart from the scope itself: a scope that is dropped can end it.
final class ScopedWork: Sendable {
  typealias Work = @Sendable () async throws -> Void

  private struct State: Sendable {
    /// Started, or about to, and not ended.
    var count = 0
    var failure: (any Error)?
    var isOver = false
  }

  private let state = Lock(State())
  private let started = TaskChannel<Work>(capacity: .unbounded)
  /// Holds one element for each that runs.
  private let places: TaskChannel<Void>?
  private let idle = TaskChannel<Void>(capacity: .conflating)

  init(limit: Int?) {
    precondition(limit.map { $0 > 0 } ?? true, "a scope with a limit below 1 runs nothing")
    places = limit.map { TaskChannel(capacity: .limited($0)) }
  }

  func start(_ work: @escaping Work) async throws(TaskScopeError) {
    guard !Task.isCancelled else { throw .interrupted }
    do throws(TaskChannelError) {
      try await places?.send(())
      state.withLock { $0.count += 1 }
      _ = try started.offer(work)
    } catch .interrupted {
      throw .interrupted
    } catch {
      // Counted already; a scope that is left cancels its places and closes its line.
      if error == .closed { ended() }
      throw .over
    }
  }

  func drain() async throws(TaskScopeError) {
    while state.withLock({ $0.count > 0 }) {
      do throws(TaskChannelError) { _ = try await idle.receive() } catch { throw .interrupted }
    }
    tellIdle()
  }

  /// The error of what failed first, before the scope was left.
  var failure: (any Error)? { state.withLock { $0.failure } }
  var isOver: Bool { state.withLock { $0.isOver } }

  /// Runs what is started, until the scope is left or the task is cancelled; then cancels it.
  func runAll(on executor: (any TaskExecutor)?) async {
    await withDiscardingTaskGroup { group in
      while let work = try? await started.receive() {
        group.addTask(executorPreference: executor) { await self.run(work) }
      }
      leave()
      group.cancelAll()
      for work in started.takeNow() {
        group.addTask(executorPreference: executor) { await self.run(work) }
      }
    }
  }

  func leave() {
    state.withLock { $0.isOver = true }
    started.close()
    places?.cancel()
  }

  private func run(_ work: Work) async {
    do {
      try await work()
    } catch {
      state.withLock { state in
        if !state.isOver { state.failure = error }
        state.isOver = true
      }
      leave()
    }
    ended()
  }

  private func ended() {
    _ = places?.takeNow(upTo: 1)
    let isIdle = state.withLock { state in
      state.count -= 1
      return state.count == 0
    }
    if isIdle { tellIdle() }
  }

  private func tellIdle() {
    // Conflating and never closed: it takes everything.
    _ = try? idle.offer(())
  }
}

/// Runs `body`, and then `cleanup`, whatever becomes of `body`.
///
/// - Parameter cleanup: Runs to its end also in a task that is cancelled, if it does not look at that itself.
public func withCleanup<Answer>(
  _ body: () async throws -> Answer, cleanup: () async -> Void
) async throws -> Answer {
  let answer: Result<Answer, any Error>
  do { answer = .success(try await body()) } catch { answer = .failure(error) }
  await cleanup()
  return try answer.get()
}

/// An error that can say that the work was cancelled, and did not fail.
///
/// Catch all such errors with one word:
///
/// ```swift
/// do { try await work() } catch where error.isCancellation { return } catch { report(error) }
/// ```
public protocol CancellationReporting: Error {
  /// Whether the work was cancelled. Read it as `isCancellation`, which every error has.
  var reportsCancellation: Bool { get }
}

extension Error {
  /// Whether the work was cancelled: true for `CancellationError`, and for each error of this package that says so.
  public var isCancellation: Bool {
    if let error = self as? any CancellationReporting { return error.reportsCancellation }
    return self is CancellationError
  }
}
