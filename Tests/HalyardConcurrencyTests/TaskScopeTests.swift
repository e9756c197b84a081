import HalyardConcurrency
import PipelineTesting
import Posix
import Testing

/// Work that is started beside a body, and ends with it.
@Suite(.timeLimit(.minutes(10)))
struct TaskScopeTests {
  private struct Broken: Error, Equatable {
    var part: Int
  }

  /// Work that runs until it is cancelled.
  private final class Endless: Sendable {
    private let never = TaskChannel<Void>(capacity: 0)
    private let counts = Lock((running: 0, begun: 0, cancelled: 0))

    var running: Int { counts.withLock { $0.running } }
    var begun: Int { counts.withLock { $0.begun } }
    var cancelled: Int { counts.withLock { $0.cancelled } }

    @Sendable func run() async throws {
      counts.withLock { ($0.running, $0.begun) = ($0.running + 1, $0.begun + 1) }
      defer { counts.withLock { $0.running -= 1 } }
      do {
        _ = try await never.receive()
      } catch {
        counts.withLock { $0.cancelled += 1 }
        throw error
      }
    }
  }

  @Test func `a body that returns waits for what runs`() async throws {
    let finished = Lock(0)
    let (inner, go) = (Lock(0), TaskChannel<Void>(capacity: 0))
    let answer = try await withTaskScope { scope in
      for _ in 0..<5 {
        try await scope.start {
          _ = try await go.receive()
          try await scope.start { inner.withLock { $0 += 1 } }
          finished.withLock { $0 += 1 }
        }
      }
      go.close()
      return "done"
    }
    #expect(answer == "done")
    #expect(finished.withLock { $0 } == 5 && inner.withLock { $0 } == 5)
  }

  @Test func `work that fails after the body has returned cancels the rest`() async throws {
    let work = Endless()
    await #expect(throws: Broken(part: 4)) {
      try await withTaskScope { scope in
        try await scope.start(work.run)
        try await scope.start {
          await until { work.running == 1 }
          throw Broken(part: 4)
        }
      }
    }
    #expect(work.begun == 1 && work.cancelled == 1)
  }

  @Test func `a task that is cancelled while its scope waits has no answer`() async throws {
    let work = Endless()
    let task = Task {
      try await withTaskScope { scope in
        try await scope.start(work.run)
        return "done"
      }
    }
    await until { work.running == 1 }
    task.cancel()
    await #expect(throws: TaskScopeError.interrupted) { try await task.value }
    #expect(work.running == 0 && work.cancelled == 1)
  }

  @Test func `a scope that is cancelled on request cancels what runs, and waits for it`() async throws {
    let work = Endless()
    let answer = try await withTaskScope { scope in
      defer { scope.cancel() }
      for _ in 0..<5 { try await scope.start(work.run) }
      await until { work.running == 5 }
      return "done"
    }
    #expect(answer == "done")
    #expect(work.running == 0 && work.cancelled == 5)
  }

  @Test func `a body that throws cancels what runs, and its error is kept`() async throws {
    let work = Endless()
    await #expect(throws: Broken(part: 1)) {
      try await withTaskScope { scope in
        try await scope.start(work.run)
        await until { work.running == 1 }
        throw Broken(part: 1)
      }
    }
    #expect(work.running == 0 && work.cancelled == 1)
  }

  @Test func `cancelling the task cancels the body and what runs`() async throws {
    let work = Endless()
    let task = Task {
      try await withTaskScope { scope in
        try await scope.start(work.run)
        try await work.run()
      }
    }
    await until { work.running == 2 }
    task.cancel()
    _ = await task.result
    #expect(work.running == 0 && work.cancelled == 2)
  }

  @Test func `work that fails cancels the rest, and nothing more is started`() async throws {
    let work = Endless()
    let scoped = Task {
      try await withTaskScope { scope in
        try await scope.start(work.run)
        await until { work.running == 1 }
        try await scope.start { throw Broken(part: 2) }
        await until { work.running == 0 }
        await #expect(throws: TaskScopeError.over) { try await scope.start(work.run) }
        throw Broken(part: 3)
      }
    }
    await #expect(throws: Broken(part: 2)) { try await scoped.value }
    #expect(work.begun == 1 && work.cancelled == 1)
  }

  @Test func `what was started runs, if only to find itself cancelled`() async throws {
    for _ in 0..<200 {
      let work = Endless()
      try await withTaskScope { scope in
        defer { scope.cancel() }
        for _ in 0..<10 { try await scope.start(work.run) }
      }
      #expect(work.begun == 10 && work.cancelled == 10)
    }
  }

  @Test func `what was started before a cancellation runs too`() async throws {
    for _ in 0..<200 {
      let work = Endless()
      await Task {
        try? await withTaskScope { scope in
          for _ in 0..<10 { try await scope.start(work.run) }
          unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
        }
      }.value
      #expect(work.begun == 10 && work.cancelled == 10)
    }
  }

  @Test func `a drained scope has finished its work`() async throws {
    let finished = Lock(0)
    try await withTaskScope { scope in
      for _ in 0..<100 {
        try await scope.start {
          for _ in 0..<10 { await Task.yield() }
          finished.withLock { $0 += 1 }
        }
      }
      async let other: Void = scope.drain()
      try await scope.drain()
      try await other
      #expect(finished.withLock { $0 } == 100)
      try await scope.start { finished.withLock { $0 += 1 } }
      try await scope.drain()
    }
    #expect(finished.withLock { $0 } == 101)
  }

  @Test(arguments: [1, 3]) func `no more runs at once than the limit allows`(limit: Int) async throws {
    let counts = Lock((now: 0, most: 0, all: 0))
    try await withTaskScope(limit: limit) { scope in
      for _ in 0..<200 {
        try await scope.start {
          counts.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1), $0.all + 1) }
          await Task.yield()
          counts.withLock { $0.now -= 1 }
        }
      }
    }
    #expect(counts.withLock { $0.most } == limit)
    #expect(counts.withLock { $0.all } == 200)
  }

  @Test func `whoever waits for room in a scope that is left is told`() async throws {
    let work = Endless()
    let told = TaskChannel<TaskScopeError?>(capacity: 1)
    try await withTaskScope { others in
      try await withTaskScope(limit: 1) { scope in
        defer { scope.cancel() }
        try await scope.start(work.run)
        try await others.start {
          do throws(TaskScopeError) {
            try await scope.start(work.run)
            _ = try? told.offer(nil)
          } catch {
            _ = try? told.offer(error)
          }
        }
        await until { work.running == 1 }
      }
      #expect(try await told.receive() == .some(.over))
    }
    #expect(work.begun == 1)
  }

  @Test func `whoever waits for room in a scope that is left is told while its work still runs`() async throws
  {
    let (told, heard, begun) = (Lock(false), Lock(false), Lock(false))
    let deadline = ContinuousClock.now + .seconds(240)
    try await withTaskScope { others in
      try await withTaskScope(limit: 1) { scope in
        defer { scope.cancel() }
        try await scope.start {
          begun.withLock { $0 = true }
          // Cares for no cancellation.
          while !told.withLock({ $0 }), ContinuousClock.now < deadline { await Task.yield() }
          heard.withLock { $0 = told.withLock { $0 } }
        }
        await until { begun.withLock { $0 } }
        try await others.start {
          await #expect(throws: TaskScopeError.over) { try await scope.start {} }
          told.withLock { $0 = true }
        }
      }
    }
    #expect(heard.withLock { $0 }, "waited in vain for the one outside to be told")
  }

  @Test func `work runs where its scope is told to run it`() async throws {
    let executor = CountingExecutor()
    let finished = Lock(0)
    try await withTaskScope(on: executor) { scope in
      for _ in 0..<10 { try await scope.start { finished.withLock { $0 += 1 } } }
    }
    #expect(finished.withLock { $0 } == 10)
    #expect(executor.jobs.withLock { $0 } >= 10)
  }

  private final class CountingExecutor: TaskExecutor {
    let jobs = Lock(0)

    func enqueue(_ job: consuming ExecutorJob) {
      jobs.withLock { $0 += 1 }
      TaskJob(job).run(for: self)
    }
  }
}
