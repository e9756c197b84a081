import Pipeline
import PipelineTesting
import Posix
import Testing

@testable import Roles

/// Commits whose answers are not what was expected: no job is forgotten for it.
@Suite(.timeLimit(.minutes(2)))
struct StaleCommitTests {
  private static let page = ScriptedFetching(["http://a.test/": .page("<title>A</title>")])

  @Test(arguments: [Int.max, 100])
  func `a job whose grant came too late is read again`(mostInMemory: Int) async throws {
    let isFirst = Lock(true)
    var pipeline = TestPipeline()
    pipeline.settings.aggregator.mostInMemory = mostInMemory
    pipeline.ledger = TamperedLedger { changes in
      guard changes.jobs.contains(where: \.isGrant) else { return .none }
      return isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst ? .lateGrants : .none
      }
    }
    let rows = try await pipeline.run([JobDraft(kind: .title, input: "http://a.test/")], over: Self.page)
    #expect(rows.count == 1)
    #expect(!isFirst.withLock { $0 })
  }

  @Test func `a run that a commit requeued although it seemed to fail begins again, and is counted`()
    async throws
  {
    let recipe = """
      {"steps": {"list": {"call": "http://a.test/list"}}, "output": "$list"}
      """
    let site = RunSite(["http://a.test/list": "[1]"])
    site["http://a.test/list"] = RunSite.json("{}", status: 500)
    let once = Lock(true)
    var pipeline = TestPipeline(.framed)
    pipeline.ledger = TamperedLedger { changes in
      guard case .requeued? = changes.jobs.first?.event else { return .none }
      return once.withLock { once in
        defer { once = false }
        return once ? .falseAlarm : .none
      }
    }
    pipeline.settings.aggregator.retry = RetryRule(retries: 0)
    try await pipeline.withFleet(over: ScriptedFetching { site.answer(to: $0.url) }) { fleet in
      let batch = fleet.newBatch()
      let client = try await fleet.client()
      _ = try await fleet.submit([RunSite.draft(recipe)], as: batch)
      _ = try await client.copy(RowCopies(of: batch, follows: true)) { _ in }
      site["http://a.test/list"] = RunSite.json("[1]")
      #expect(try await client.ask(RequeueOrder(JobChoice(batch))) == 1)
      let rows = Lock<[NumberedRow]>([])
      _ = try await client.copy(RowCopies(of: batch, follows: true)) { more in rows.withLock { $0 += more } }
      #expect(try rows.withLock { $0 }.map { try Row($0)["value"] } == ["[1]"])
    }
  }
}
