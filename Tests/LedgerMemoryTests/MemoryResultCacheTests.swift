import LedgerMemory
import Pipeline
import PipelineTesting
import Testing

@Suite(.timeLimit(.minutes(10)))
struct MemoryResultCacheTests {
  @Test(arguments: ResultCacheSuite.rules)
  func `the cache in memory keeps the rules of the port`(rule: PortRule<any ResultCache>) async throws {
    try await rule.prove(on: MemoryResultCache(most: ResultCacheSuite.most))
  }

  private func answer(_ question: String, bytes: Int = 92, at seconds: Int64 = 0) -> CachedAnswer {
    CachedAnswer(
      question: question, storedAt: Moment(unixMilliseconds: seconds * 1_000), failure: nil,
      isOfFailure: false,
      validators: nil, json: [UInt8](repeating: 0x20, count: bytes))
  }

  @Test func `the oldest answers go when they take too much together`() async {
    let cache = MemoryResultCache(mostBytes: 1_000)
    await cache.store((0..<20).map { answer("number \($0 % 10)", at: $0) })
    #expect(await cache.find(["number 0", "number 9"], bytes: .max).map { $0 != nil } == [true, true])
    await cache.store([answer("number 1", bytes: 292)])
    let found = await cache.find(["number 0", "number 2", "number 3", "number 1"], bytes: .max)
    #expect(found.map { $0 != nil } == [false, false, true, true])
  }

  @Test func `an answer larger than the cache is not kept`() async {
    let cache = MemoryResultCache(mostBytes: 1_000)
    await cache.store([answer("a"), answer("b", bytes: 2_000)])
    #expect(await cache.find(["a", "b"], bytes: .max) == [nil, nil])
  }
}
