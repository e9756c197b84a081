public import HalyardCancellation
internal import Posix

/// Why a scope starts nothing more.
public enum TaskScopeError: Error, Hashable, Sendable {
  /// The scope is being left, because its body has ended or some work has failed.
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
/// When `body` returns or throws, or the calling task is cancelled, what still runs in the scope is cancelled and waited
/// for. Call ``TaskScope/drain()`` at the end of `body` to let it finish instead.
///
/// The first work that fails cancels the rest, and its error is thrown here once `body` has ended. `body` itself is not
/// cancelled: one that waits for what the work sends should be told by it, such as by a channel closed in a `defer`. An error
/// that is thrown once `body` has ended is not told any more: work whose end lets `body` go on hands over its error, too.
///
/// - Parameters:
///   - limit: How much work runs at once, at least 1; more waits in ``TaskScope/start(_:)``. Nil for any number.
///   - executor: Where the work prefers to run; nil for where `body` does.
public func withTaskScope<Answer>(
  limit: Int? = nil, on executor: (any TaskExecutor)? = nil, _ body: (TaskScope) async throws -> Answer
) async throws -> Answer {
  let scope = TaskScope(limit: limit)
  async let work: Void = scope.runAll(on: executor)
  let answer: Result<Answer, any Error>
  do { answer = .success(try await body(scope)) } catch { answer = .failure(error) }
  scope.leave()
  await work
  if let failure = scope.failure { throw failure }
  return try answer.get()
}

/// Where work is started that ends with the scope; made by ``withTaskScope(limit:on:_:)``. May be handed to other tasks.
public final class TaskScope: Sendable {
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

  /// Starts work beside the caller, and waits only while the scope has no room for it. Work that was started runs, if
  /// only to find itself cancelled. Work that starts more in a scope with a limit keeps its own place meanwhile.
  public func start(_ work: @escaping @Sendable () async throws -> Void) async throws(TaskScopeError) {
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

  /// Waits until all that was started has ended; not for use inside that work itself.
  public func drain() async throws(TaskScopeError) {
    while state.withLock({ $0.count > 0 }) {
      do throws(TaskChannelError) { _ = try await idle.receive() } catch { throw .interrupted }
    }
    tellIdle()
  }

  /// The error of what failed first, before the scope was left.
  var failure: (any Error)? { state.withLock { $0.failure } }

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
