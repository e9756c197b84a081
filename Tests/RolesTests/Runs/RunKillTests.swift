import LedgerMemory
import LedgerSQLite
import Pipeline
import PipelineTesting
import Posix
import Recipes
import Roles
import Testing

/// Runs whose processes die, which are cancelled, or whose calls fail beside others.
@Suite(.timeLimit(.minutes(10)))
struct RunKillTests {
  private static let fan = """
    {"steps": {
      "list": {"call": "http://a.test/list"},
      "each": {"each": "$list", "call": "http://a.test/{input}", "policy": "POLICY", "order": "ORDER"}
    }, "output": "$each"}
    """

  private static func site(_ count: Int) -> RunSite {
    let site = RunSite(["http://a.test/list": "[\((1...count).map(String.init).joined(separator: ","))]"])
    for number in 1...count { site["http://a.test/\(number)"] = RunSite.json("\(number * 10)") }
    return site
  }

  private static let batch = BatchID(UUIDv7(at: Moment(unixMilliseconds: 1_000), uniqueHigh: 1, uniqueLow: 2))

  private static func pipeline(_ site: RunSite) -> TestPipeline {
    var pipeline = TestPipeline()
    pipeline.ledger = site.ledger
    pipeline.batch = batch
    pipeline.leavesJobsOpen = true
    pipeline.settings.aggregator.onlyBatch = batch
    pipeline.settings.aggregator.retry = RetryRule(retries: 0)
    pipeline.settings.fetcher.concurrency = 4
    return pipeline
  }

  @Test(arguments: 1...11, ["source", "completion"])
  func `a run goes on where its process died, and asks for nothing twice that was answered`(
    _ calls: Int, _ order: String
  ) async throws {
    let site = Self.site(10)
    let draft = RunSite.draft(Self.fan.replacing("POLICY", with: "all").replacing("ORDER", with: order))
    let dead = AsyncStream.makeStream(of: Void.self)
    let died = Task {
      try await Self.pipeline(site).run(
        [draft],
        over: ScriptedFetching { request in
          if site.calls.count >= calls - 1 {
            dead.continuation.yield()
            try? await Task.sleep(for: .seconds(3_600))
          }
          return site.answer(to: request.url)
        })
    }
    for await _ in dead.stream { break }
    died.cancel()
    _ = await died.result
    let before = site.calls.count
    var again = draft
    again.isKnown = before > 0
    let rows = try await Self.pipeline(site).run(
      [again], over: ScriptedFetching { site.answer(to: $0.url) })
    let row = try Row(#require(rows.first))
    #expect(rows.count == 1)
    #expect(row["status"] == "ok")
    let expected = (1...10).map { "\($0 * 10)" }
    let value = try #require(row["value"]).dropFirst().dropLast().split(separator: ",").map(String.init)
    if order == "source" { #expect(value == expected) } else { #expect(Set(value) == Set(expected)) }
    #expect(await site.ledger.openJobs().isEmpty)
  }

  @Test func `a failure under all ends what is under way, and what waits, with its cause`() async throws {
    let site = Self.site(30)
    let started = Lock(0)
    let cancelled = Lock(0)
    let fetching = ScriptedFetching { request in
      switch request.url {
      case "http://a.test/list": return site.answer(to: request.url)
      case "http://a.test/7":
        while started.withLock({ $0 }) < 3 { await Task.yield() }
        return .success(RunSite.json("{}", status: 500))
      default:
        started.withLock { $0 += 1 }
        try? await Task.sleep(for: .seconds(3_600))
        cancelled.withLock { $0 += 1 }
        return .failure(Failure(.cancelled, at: .queue, "fetch \(request.url): cancelled"))
      }
    }
    var pipeline = Self.pipeline(site)
    pipeline.settings.fetcher.concurrency = 8
    let recipe = Self.fan.replacing("POLICY", with: "all").replacing("ORDER", with: "source")
    let rows = try await pipeline.run([RunSite.draft(recipe)], over: fetching)
    let row = try Row(#require(rows.first))
    #expect(row["error.kind"] == "http_status")
    #expect(row["steps.each.status"] == "failed")
    #expect(started.withLock { $0 } < 30)
    #expect(cancelled.withLock { $0 } == started.withLock { $0 })
    #expect(await site.ledger.openJobs().isEmpty)
  }

  @Test func `a cancelled run of ten thousand calls ends all of them at once`() async throws {
    let site = Self.site(10_000)
    let asked = Lock(0)
    let arrived = AsyncStream.makeStream(of: Void.self)
    let fetching = ScriptedFetching { request in
      if request.url == "http://a.test/list" { return site.answer(to: request.url) }
      asked.withLock { $0 += 1 }
      arrived.continuation.yield()
      try? await Task.sleep(for: .seconds(3_600))
      return .failure(Failure(.cancelled, at: .queue, "fetch \(request.url): cancelled"))
    }
    var pipeline = Self.pipeline(site)
    pipeline.leavesJobsOpen = false
    let recipe = Self.fan.replacing("POLICY", with: "all").replacing("ORDER", with: "source")
    let rows = try await pipeline.run([RunSite.draft(recipe)], over: fetching) { producer in
      for await _ in arrived.stream { break }
      await producer.interrupt(everything: true, cause: "interrupted")
    }
    let row = try Row(#require(rows.first))
    #expect(row["status"] == "cancelled")
    #expect(asked.withLock { $0 } <= 8)
    #expect(await site.ledger.openJobs().isEmpty)
  }

  @Test func `ten thousand calls are gathered once, in their order`() async throws {
    let site = Self.site(10_000)
    var pipeline = Self.pipeline(site)
    pipeline.settings.fetcher.concurrency = 256
    let recipe = Self.fan.replacing("POLICY", with: "all").replacing("ORDER", with: "source")
    let rows = try await pipeline.run(
      [RunSite.draft(recipe)], over: ScriptedFetching { site.answer(to: $0.url) })
    let row = try Row(#require(rows.first))
    #expect(row["value"] == "[\((1...10_000).map { "\($0 * 10)" }.joined(separator: ","))]")
    #expect(site.calls.count == 10_001)
  }

  @Test func `a requeued run makes its calls anew`() async throws {
    let site = Self.site(3)
    site["http://a.test/2"] = RunSite.json("{}", status: 500)
    let directory = try TemporaryDirectory()
    let ledger = try await SQLiteLedger.open(path: directory.file("ledger"))
    var pipeline = Self.pipeline(site)
    pipeline.ledger = ledger
    let recipe = Self.fan.replacing("POLICY", with: "all").replacing("ORDER", with: "source")
    var draft = RunSite.draft(recipe)
    let first = try await pipeline.run([draft], over: ScriptedFetching { site.answer(to: $0.url) })
    #expect(try Row(#require(first.first))["status"] == "failed")
    site["http://a.test/2"] = RunSite.json("20")
    let dead = try await ledger.deadJobs(of: nil, after: nil, limit: 9)
    #expect(dead.count == 1, "calls are no dead letters")
    _ = try await ledger.commit(dead.map { .requeue($0) }, at: Moment(unixMilliseconds: 1))
    #expect(try await ledger.page(JobQuery(.waiting)).items.map(\.job.id) == dead)
    draft.isKnown = true
    let rows = try await pipeline.run([draft], over: ScriptedFetching { site.answer(to: $0.url) })
    #expect(try Row(#require(rows.last))["value"] == "[10,20,30]")
    await ledger.close()
  }
}
