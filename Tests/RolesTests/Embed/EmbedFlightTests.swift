import Pipeline
import PipelineTesting
import Roles
import Testing

/// Jobs that ask for the same page, with and without its oEmbed endpoint.
@Suite(.timeLimit(.minutes(10)))
struct EmbedFlightTests {
  @Test(arguments: TransportUnderTest.allCases)
  func `jobs that differ in the wish have rows of their own`(transport: TransportUnderTest) async throws {
    let fixture = EmbedFixture([
      EmbedFixture.page: .naming(), EmbedFixture.endpoint: .json(#"{"type":"link","author_name":"Ann"}"#),
    ])
    let drafts = (0..<40).map { number in
      var draft = JobDraft(kind: .title, input: EmbedFixture.page)
      draft.reading.wantsEmbed = number % 2 == 0
      return draft
    }
    let rows = try await TestPipeline(transport).run(drafts, over: fixture.fetching, ordered: true).map(
      Row.init)
    #expect(rows.map { $0["card.author"] } == drafts.map { $0.reading.wantsEmbed ? "Ann" : nil })
    #expect(rows.allSatisfy { $0["status"] == "ok" })
  }

  @Test func `a host that asks for peace has it`() async throws {
    let clock = ManualClock()
    let start = clock.now
    let calls = AsyncStream<Int64>.makeStream()
    let fixture = EmbedFixture { request in
      guard request.url.hasPrefix("http://b.test/") else { return .success(.naming()) }
      calls.continuation.yield(clock.now.milliseconds(since: start))
      return .success(.json("{}", status: 429).with("Retry-After", "60"))
    }
    var pipeline = TestPipeline()
    pipeline.clock = clock
    pipeline.settings.aggregator.perHost = 1
    let time = Task {
      while !Task.isCancelled {
        clock.advance(byMilliseconds: 100)
        await Task.yield()
      }
    }
    defer { time.cancel() }
    let drafts = (0..<2).map { number in
      var draft = JobDraft(kind: .title, input: "http://h\(number).test/")
      draft.reading.wantsEmbed = true
      return draft
    }
    let rows = try await pipeline.run(drafts, over: fixture.fetching).map(Row.init)
    #expect(rows.allSatisfy { $0["card.embed_error.kind"] == "http_status" && $0["attempts"] == "1" })
    calls.continuation.finish()
    var moments: [Int64] = []
    for await moment in calls.stream { moments.append(moment) }
    #expect(moments.count == 2)
    #expect(moments[1] - moments[0] >= 60_000)
  }
}
