internal import Posix

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
