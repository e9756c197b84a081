import HalyardConcurrency
import PipelineTesting
import Posix
import Testing

/// Scopes without a body, which a program stores.
@Suite(.timeLimit(.minutes(10)))
struct StoredScopeTests {
  private struct Broken: Error {}

  /// Starts work now and then, and waits for all of it at the end.
  private actor Collector {
    private let scope = TaskScope(limit: 2)
    private(set) var sum = 0

    func add(_ number: Int) async throws {
      try await scope.start { await self.took(number) }
    }

    func end() async throws { try await scope.wait() }

    private func took(_ number: Int) { sum += number }
  }

  /// Work that runs until it is cancelled.
  private static func endless(_ ended: Lock<Int>) -> @Sendable () async throws -> Void {
    {
      defer { ended.withLock { $0 += 1 } }
      _ = try await TaskChannel<Void>(capacity: 0).receive()
    }
  }

  @Test func `a stored scope waits for its work, and is over then`() async throws {
    let collector = Collector()
    for number in 1...100 { try await collector.add(number) }
    try await collector.end()
    #expect(await collector.sum == 5_050)
    await #expect(throws: TaskScopeError.over) { try await collector.add(1) }
  }

  @Test func `cancelling a stored scope ends its work`() async throws {
    let (scope, ended) = (TaskScope(), Lock(0))
    for _ in 0..<5 { try await scope.start(Self.endless(ended)) }
    scope.cancel()
    try await soon("the end of the scope") { try await scope.wait() }
    #expect(ended.withLock { $0 } == 5)
  }

  @Test func `a task that is cancelled while it waits cancels the work, and waits for it`() async throws {
    let (scope, ended) = (TaskScope(), Lock(0))
    try await scope.start(Self.endless(ended))
    let waiting = Task { try await scope.wait() }
    waiting.cancel()
    await #expect(throws: TaskScopeError.interrupted) {
      try await soon("the end of the scope") { try await waiting.value }
    }
    #expect(ended.withLock { $0 } == 1)
  }

  @Test func `the first failure in a stored scope cancels the rest, and is thrown to the one who waits`()
    async throws
  {
    let (scope, ended) = (TaskScope(), Lock(0))
    try await scope.start(Self.endless(ended))
    try await scope.start { throw Broken() }
    await #expect(throws: Broken.self) { try await soon("the end of the scope") { try await scope.wait() } }
    #expect(ended.withLock { $0 } == 1)
  }

  @Test func `a stored scope that is dropped cancels its work`() async throws {
    let ended = Lock(0)
    do {
      let scope = TaskScope()
      try await scope.start(Self.endless(ended))
    }
    await until { ended.withLock { $0 } == 1 }
  }
}
