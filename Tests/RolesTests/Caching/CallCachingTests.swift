import Assembly
import LedgerMemory
import Pipeline
import PipelineTesting
import Testing

@testable import Roles

/// Calls of recipes that are answered from what is kept, when an aggregator finds them in the ledger.
@Suite(.timeLimit(.minutes(10)))
struct CallCachingTests {
  private let web = CountedWeb()
  private let caching = AnswerCaching(in: MemoryResultCache(), for: CacheRule(answersMilliseconds: 3_600_000))

  /// Runs a recipe of one call, made by an aggregator that dies then.
  private func value(_ wish: String, of batch: BatchID) async throws -> String? {
    var draft = JobDraft(kind: .run, input: "mine.json")
    draft.reading.recipe = #"{"steps":{"s":{"call":"http://a.test/data"\#(wish)}},"output":"$s"}"#
    let ledger = MemoryLedger()
    let submit = Submit(
      batch: batch, sequence: 0, replyTo: Address("inproc://nobody"),
      jobs: [draft.job(of: batch, ordinal: 0, deadline: nil)])
    let ports = RolePorts(transport: RecordingTransport(), clock: SystemClock(), random: .seeded(1))
    let aggregator = Aggregator(
      settings: AggregatorSettings(),
      inbox: ScriptedInbox(Address("inproc://aggregator"), [[.submit(submit)], []]), ledger: ledger,
      ports: ports, caching: caching)
    await #expect(throws: CancellationError.self) { try await aggregator.run() }
    #expect(await ledger.page(JobQuery(.ready)).items.map(\.job.batch.isOfCalls) == [true])
    var pipeline = TestPipeline()
    (pipeline.ledger, pipeline.batch, pipeline.caching) = (ledger, batch, caching)
    return try await pipeline.run([draft], over: web.fetching).first.map { try Row($0)["value"] } ?? nil
  }

  @Test func `calls that read one answer in two ways have values of their own`() async throws {
    for (number, (wish, value)) in [
      (#","select":"/a""#, "1"), ("", #"{"a":1}"#), (#","select":"/a""#, "1"),
    ].enumerated() {
      let batch = BatchID(UUIDv7(high: UInt64(number + 1) << 16, low: 1))
      #expect(try await self.value(wish, of: batch) == value)
    }
    #expect(web.requests == 2)
  }
}
