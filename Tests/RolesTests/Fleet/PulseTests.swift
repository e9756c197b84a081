import JSONQuery
import Pipeline
import PipelineTesting
import Posix
import Roles
import Testing

/// How old, how fast and how many, as the status tells it.
@Suite(.timeLimit(.minutes(10)))
struct PulseTests {
  private func status(_ client: FleetClient) async throws -> JSONValue {
    try JSONDocument(parsing: try await client.ask(StatusQuestion()).bytes).root
  }

  @Test(arguments: [TransportUnderTest.framed, .zeroMQ])
  func `the status counts what ended lately, by kind, and names batches`(_ transport: TransportUnderTest)
    async throws
  {
    let network = ScriptedFetching([
      "http://a.test/": .page("<title>A</title>"),
      "http://gone.test/": .page("<title>Gone</title>", status: 404),
    ])
    try await TestPipeline(transport).withFleet(over: network) { [self] fleet async throws -> Void in
      let (batch, client) = (fleet.newBatch(), try await fleet.client())
      let drafts = ["http://a.test/", "http://gone.test/", "no link"].map {
        JobDraft(kind: .title, input: $0)
      }
      _ = try await fleet.submit(drafts, as: batch)
      _ = try await client.copy(RowCopies(of: batch, follows: true)) { _ in }
      let status = try await self.status(client)
      for period in ["1m", "15m"] {
        let counts = status["recent"]?[period]
        #expect(counts?["submitted"]?.int64 == 3)
        #expect(counts?["done"]?.int64 == 1)
        #expect(counts?["failed"]?.int64 == 2)
        #expect(counts?["failures"]?["http_status"]?.int64 == 1)
      }
      #expect(status["failures"]?["http_status"]?.int64 == 1)
      #expect(status["failures"]?["invalid_input"]?.int64 == 1)
      let shown = try #require(status["batches"]?.element(at: 0))
      #expect(shown["id"]?.string == batch.description)
      #expect(shown["submitted"]?.string != nil)
      #expect((shown["age_ms"]?.int64 ?? -1) >= 0)
    }
  }

  @Test func `the age of the oldest job follows what is committed`() async throws {
    let (isFree, hasBegun) = (Lock(false), Lock(false))
    let network = ScriptedFetching { _ in
      hasBegun.withLock { $0 = true }
      await until { isFree.withLock { $0 } }
      return .success(.page("<title>A</title>"))
    }
    var pipeline = TestPipeline(.framed)
    pipeline.settings.aggregator.perHost = 1
    pipeline.settings.aggregator.workersMayLive = true
    try await pipeline.withFleet(over: network) { [self] fleet async throws -> Void in
      let (batch, client) = (fleet.newBatch(), try await fleet.client())
      let drafts = ["http://a.test/1", "http://a.test/2"].map { JobDraft(kind: .title, input: $0) }
      _ = try await fleet.submit(drafts, as: batch)
      await until { hasBegun.withLock { $0 } }
      func ages() async throws -> [Int64?] {
        let status = try await self.status(client)
        return ["ready", "leased"].map { status["oldest_ms"]?[$0]?.int64 }
      }
      var known = try await ages()
      while known.contains(nil) { known = try await ages() }
      #expect(known.allSatisfy { ($0 ?? -1) >= 0 })
      let status = try await self.status(client)
      #expect(status["runnable"]?.int64 == 0)
      #expect((status["free_credit"]?.int64 ?? 0) > 0)
      isFree.withLock { $0 = true }
      _ = try await client.copy(RowCopies(of: batch, follows: true)) { _ in }
      while try await ages() != [nil, nil] {}
    }
  }
}
