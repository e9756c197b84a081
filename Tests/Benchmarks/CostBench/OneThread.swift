import Glibc
import Posix

/// The thread that `run` is called on, for all tasks. What other threads resume, such as the ledger's, comes one at a time
/// and only when nothing else can go on, so the order does not depend on how fast they are.
final class OneThread: TaskExecutor {
  private struct State {
    var own: [TaskJob] = []
    var foreign: [TaskJob] = []
  }

  private let state = Lock(State())
  private let arrivals: Permits
  private let thread = pthread_self()

  init() throws {
    arrivals = try Permits(0)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = TaskJob(job)
    if pthread_equal(pthread_self(), thread) != 0 {
      state.withLock { $0.own.append(job) }
    } else {
      state.withLock { $0.foreign.append(job) }
      arrivals.giveBack()
    }
  }

  /// Runs `body` and all that it starts, until it has ended.
  func run<Answer: Sendable>(_ body: @escaping @Sendable () async throws -> Answer) throws -> Answer {
    let answer = Lock<Result<Answer, any Error>?>(nil)
    Task(executorPreference: self) {
      do {
        let found = try await body()
        answer.withLock { $0 = .success(found) }
      } catch {
        answer.withLock { $0 = .failure(error) }
      }
    }
    let never = try StopSignal()
    while true {
      runOwn()
      if let answer = answer.withLock({ $0 }) { return try answer.get() }
      try arrivals.take(unless: never)
      state.withLock { $0.foreign.removeFirst() }.run(for: self)
    }
  }

  private func runOwn() {
    while true {
      let jobs = state.withLock { state in
        defer { state.own = [] }
        return state.own
      }
      if jobs.isEmpty { return }
      for job in jobs { job.run(for: self) }
    }
  }
}
