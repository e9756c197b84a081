import Assembly
import LedgerMemory
import LedgerSQLite
import Pipeline
import PipelineTesting
import Posix
import Roles
import Testing

/// Links that were asked before are answered from what is kept.
@Suite(.timeLimit(.minutes(10)))
struct CachingTests {
  private static let hour: Int64 = 3_600_000
  private static let minute: Int64 = 60_000
  private let passed = Lock<Int64>(0)
  private let cache = MemoryResultCache()
  private let web = CountedWeb()

  private func caching(settings: UInt64 = 0) -> AnswerCaching {
    AnswerCaching(in: cache, for: CacheRule(answersMilliseconds: Self.hour), settings: settings)
  }

  /// Each run is a pipeline of its own, later than the one before.
  private func run(
    _ drafts: [JobDraft], _ transport: TransportUnderTest = .inProcess, after milliseconds: Int64 = 0,
    settings: UInt64 = 0, fetcher: FetcherSettings = FetcherSettings()
  ) async throws -> [Row] {
    passed.withLock { $0 += milliseconds }
    var pipeline = TestPipeline(transport)
    pipeline.clock = LaterClock(milliseconds: passed.withLock { $0 })
    pipeline.caching = caching(settings: settings)
    pipeline.settings.aggregator.retry = RetryRule(retries: 0)
    pipeline.settings.fetcher = fetcher
    return try await pipeline.run(drafts, over: web.fetching, ordered: true).map(Row.init)
  }

  private func run(_ link: String, kind: JobKind = .title, after milliseconds: Int64 = 0) async throws -> Row
  {
    try #require(try await run([JobDraft(kind: kind, input: link)], after: milliseconds).first)
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `a link that was asked before is not fetched, and its row says so`(_ transport: TransportUnderTest)
    async throws
  {
    let drafts = (0..<5).map { JobDraft(kind: .title, input: "http://a.test/\($0)", ref: "r\($0)") }
    let first = try await run(drafts, transport)
    #expect(web.requests == 5)
    #expect(first.allSatisfy { $0["cached"] == nil && $0["title"] != nil })
    var again = drafts
    again[1].kept = [KeptColumn("colour", "red")]
    // The same address in other words.
    again[2].input = "HTTP://A.TEST:80/x/../2"
    again.append(JobDraft(kind: .title, input: "http://a.test/new"))
    let second = try await run(again, transport, after: 90_000)
    #expect(web.requests == 6)
    #expect(second.map { $0["ref"] } == ["r0", "r1", "r2", "r3", "r4", nil])
    #expect(second.map { $0["cached"] } == Array(repeating: "true", count: 5) + [nil])
    #expect(second.prefix(5).map { $0["title"] } == first.map { $0["title"] })
    #expect(second.prefix(5).allSatisfy { (90..<150).contains(Int($0["age"] ?? "") ?? 0) })
    #expect(second[1]["kept.colour"] == "red")
    #expect(second[2]["input"] == "HTTP://A.TEST:80/x/../2")
    #expect(Set(second.map { $0["id"] }).count == 6)
  }

  @Test func `it is fetched again when the time is over`() async throws {
    _ = try await run("http://a.test/1")
    #expect(try await run("http://a.test/1", after: Self.hour - Self.minute)["cached"] == "true")
    #expect(web.requests == 1)
    #expect(try await run("http://a.test/1", after: Self.minute)["cached"] == nil)
    #expect(web.requests == 2)
    #expect(try await run("http://a.test/1", after: Self.minute)["cached"] == "true")
    #expect(web.requests == 2)
  }

  @Test func `another question has another answer`() async throws {
    _ = try await run("http://a.test/data", kind: .decode)
    for (kind, link, select) in [
      (JobKind.unfurl, "http://a.test/data", nil), (.decode, "http://a.test/data", "/a"),
      (.decode, "http://a.test/data#part", nil), (.decode, "https://a.test/data", nil),
    ] {
      let before = web.requests
      let draft = JobDraft(kind: kind, input: link, select: select)
      #expect(try await run([draft]).first?["cached"] == nil, "\(kind) \(link)")
      #expect(web.requests == before + 1)
    }
    var wish = JobDraft(kind: .decode, input: "http://a.test/data", require: [":any"])
    wish.reading.wantsEmbed = true
    for draft in [
      wish, JobDraft(kind: .decode, input: "http://a.test/data", require: [":any"]),
      JobDraft(kind: .decode, input: "http://a.test/data", require: [":any", ":any"]),
      JobDraft(kind: .decode, input: "http://a.test/data", unwraps: true),
    ] {
      #expect(try await run([draft]).first?["cached"] == nil)
      #expect(try await run([draft]).first?["cached"] == "true")
    }
    let before = web.requests
    #expect(try await run([JobDraft(kind: .decode, input: "http://a.test/data")], settings: 7).count == 1)
    #expect(web.requests == before + 1)
  }

  @Test func `a failure for good is kept for a tenth of the time, also one that a row takes well`()
    async throws
  {
    for kind in [JobKind.title, .unfurl] {
      let first = try await run("http://a.test/gone", kind: kind)
      #expect(first["http_status"] == "404")
      let before = web.requests
      let second = try await run("http://a.test/gone", kind: kind, after: 5 * Self.minute)
      #expect(second["cached"] == "true")
      #expect(second["error.kind"] == first["error.kind"])
      #expect(second["error.message"] == first["error.message"])
      #expect(web.requests == before)
      #expect(try await run("http://a.test/gone", kind: kind, after: Self.minute)["cached"] == nil)
      #expect(web.requests == before + 1)
    }
  }

  @Test(arguments: ["http://a.test/busy", "http://a.test/reset", "http://a.test/inside", "http://a.test/cut"])
  func `what depends on the moment is not kept`(link: String) async throws {
    for kind in [JobKind.title, .unfurl] {
      for _ in 0..<2 { #expect(try await run(link, kind: kind)["cached"] == nil) }
    }
    #expect(web.requests == 4)
  }

  @Test func `answers to a user's own headers or password are not kept`() async throws {
    var ownSettings = FetcherSettings()
    ownSettings.ownHeaders = [HeaderField("X-Key", "secret")]
    for _ in 0..<2 {
      #expect(
        try await run([JobDraft(kind: .title, input: "http://a.test/1")], fetcher: ownSettings).count == 1)
    }
    #expect(try await run("http://a.test/1")["cached"] == nil)
    for _ in 0..<2 { #expect(try await run("http://user:word@a.test/1")["cached"] == nil) }
    #expect(web.requests == 5)
  }

  @Test func `many large answers come in turns, each without a fetch`() async throws {
    let drafts = (0..<300).map { JobDraft(kind: .decode, input: "http://a.test/large/\($0)") }
    _ = try await run(drafts)
    #expect(web.requests == 300)
    let again = try await run(drafts)
    #expect(web.requests == 300)
    #expect(again.count == 300)
    #expect(again.allSatisfy { $0["cached"] == "true" && ($0["value"]?.count ?? 0) > 100_000 })
  }

  @Test func `an answer that is too large is not kept`() async throws {
    for _ in 0..<2 { #expect(try await run("http://a.test/huge", kind: .decode)["status"] == "ok") }
    #expect(web.requests == 2)
  }

  @Test func `answers that cannot be read or kept are no failure`() async throws {
    var pipeline = TestPipeline()
    pipeline.caching = AnswerCaching(in: BrokenCache(), for: CacheRule(answersMilliseconds: Self.hour))
    let rows = try await pipeline.run(
      [JobDraft(kind: .title, input: "http://a.test/1")], over: web.fetching)
    #expect(try rows.map { try Row($0)["status"] } == ["ok"])
  }

  @Test func `a ledger keeps answers with its jobs, for whoever has it next`() async throws {
    let directory = try TemporaryDirectory()
    for attempt in 0..<2 {
      let ledger = try await SQLiteLedger.open(path: directory.file("a.ledger"))
      var pipeline = TestPipeline()
      pipeline.ledger = ledger
      pipeline.random = .seeded(UInt64(attempt) + 5)
      pipeline.caching = AnswerCaching(
        in: ledger, for: CacheRule(answersMilliseconds: Self.hour))
      let rows = try await pipeline.run(
        [JobDraft(kind: .title, input: "http://a.test/1")], over: web.fetching)
      #expect(try rows.map { try Row($0)["cached"] } == [attempt == 0 ? nil : "true"])
      await ledger.close()
    }
    #expect(web.requests == 1)
  }

  @Test func `an answer that is too old is asked for only if it has changed`() async throws {
    let first = try await run("http://a.test/way")
    #expect(first["url"] == "http://a.test/version")
    #expect(web.requests == 2)
    let second = try await run("http://a.test/way", after: Self.hour + Self.minute)
    #expect(web.requests == 4)
    #expect(web.headers.map { $0.map(\.name) } == [[], [], [], ["If-None-Match", "If-Modified-Since"]])
    #expect(second["title"] == "Version")
    #expect(second["http_status"] == "200")
    #expect([second["cached"], second["age"], second["revalidated"]] == ["true", "0", "true"])
    let third = try await run("http://a.test/way", after: Self.hour - Self.minute)
    #expect(web.requests == 4)
    #expect([third["cached"], third["revalidated"]] == ["true", nil])
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `links that are renewed at the same time are asked for once, and each has its row`(
    _ transport: TransportUnderTest
  ) async throws {
    let drafts = (0..<4).map { JobDraft(kind: .title, input: "http://a.test/version", ref: "r\($0)") }
    _ = try await run(drafts, transport)
    #expect(web.requests == 1)
    let rows = try await run(drafts, transport, after: 2 * Self.hour)
    #expect(web.requests == 2)
    #expect(rows.map { $0["ref"] } == ["r0", "r1", "r2", "r3"])
    #expect(rows.allSatisfy { $0["revalidated"] == "true" && $0["title"] == "Version" })
  }

  @Test func `when what is kept is gone meanwhile, the link is fetched in full`() async throws {
    _ = try await run("http://a.test/version")
    web.before304 { [cache] in
      let others = (0...CacheRule.mostAnswers).map { number in
        CachedAnswer(
          question: "\(number)", storedAt: Moment(unixMilliseconds: .max), failure: nil, isOfFailure: false,
          validators: nil, json: [])
      }
      await cache.store(others)
    }
    let row = try await run("http://a.test/version", after: 2 * Self.hour)
    #expect(web.requests == 3)
    #expect([row["title"], row["cached"], row["attempts"]] == ["Version", nil, "1"])
  }

  @Test func `when the way has changed, the link is fetched in full, though its end has not`() async throws {
    let first = try await run("http://a.test/detour")
    web.makeOEmbedContinuation()
    let second = try await run("http://a.test/detour", after: 2 * Self.hour)
    #expect(second["url"] == first["url"])
    #expect([second["cached"], second["attempts"]] == [nil, "1"])
    #expect(second["hops"]?.contains("/by/way") == true)
  }

  @Test func `what is kept is renewed for nobody who sends headers of his own`() async throws {
    _ = try await run("http://a.test/version")
    var ownSettings = FetcherSettings()
    ownSettings.ownHeaders = [HeaderField("X-Key", "secret")]
    let draft = JobDraft(kind: .title, input: "http://a.test/version")
    let rows = try await run([draft], after: 2 * Self.hour, fetcher: ownSettings)
    #expect(rows.first?["cached"] == nil)
    #expect(web.lastHeaders.map(\.name) == ["X-Key"])
  }

  @Test func `jobs of other runs in the same ledger are left alone, though their answers are known`()
    async throws
  {
    _ = try await run("http://a.test/1")
    let batches = [1, 2].map { UUIDv7(at: Moment(unixMilliseconds: 1_000), uniqueHigh: $0, uniqueLow: 1) }
      .map(BatchID.init)
    let ledger = MemoryLedger()
    for batch in batches {
      let job = Job(batch: batch, ordinal: 0, kind: .title, input: "http://a.test/1")
      _ = try await ledger.commit([.submit([job])], at: Moment(unixMilliseconds: 0))
    }
    var pipeline = TestPipeline()
    (pipeline.ledger, pipeline.batch, pipeline.leavesJobsOpen) = (ledger, batches[0], true)
    pipeline.settings.aggregator.onlyBatch = batches[0]
    pipeline.caching = caching()
    var draft = JobDraft(kind: .title, input: "http://a.test/1")
    draft.isKnown = true
    let rows = try await pipeline.run([draft], over: web.fetching)
    #expect(try rows.map { try Row($0)["cached"] } == ["true"])
    #expect(await ledger.openJobs().map(\.job.batch) == [batches[1]])
    #expect(web.requests == 1)
  }

  @Test func `a requeued failure is tried again, whatever is kept`() async throws {
    var pipeline = TestPipeline(.framed)
    pipeline.caching = caching()
    try await pipeline.withFleet(over: web.fetching) { fleet in
      let batch = fleet.newBatch()
      let client = try await fleet.client()
      _ = try await fleet.submit([JobDraft(kind: .title, input: "http://a.test/gone")], as: batch)
      _ = try await client.copy(RowCopies(of: batch, follows: true)) { _ in }
      #expect(try await client.ask(RequeueOrder(JobChoice(batch))) == 1)
      _ = try await client.copy(RowCopies(of: batch, follows: true)) { _ in }
    }
    #expect(web.requests == 2)
  }
}

/// Neither finds nor keeps anything.
private struct BrokenCache: ResultCache {
  func find(_ questions: [String], bytes: Int) async throws(LedgerError) -> [CachedAnswer?] {
    throw LedgerError("broken")
  }

  func store(_ answers: [CachedAnswer]) async throws(LedgerError) { throw LedgerError("broken") }
}

/// The time of day, some time later.
private struct LaterClock: PipelineClock {
  let base = SystemClock()
  let milliseconds: Int64

  var now: Moment { base.now.advanced(byMilliseconds: milliseconds) }

  func sleep(until moment: Moment) async throws {
    try await base.sleep(until: moment.advanced(byMilliseconds: -milliseconds))
  }
}
