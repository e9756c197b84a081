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
}
