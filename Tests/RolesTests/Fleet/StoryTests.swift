import JSONQuery
import Pipeline
import PipelineTesting
import Posix
import Roles
import Testing

/// What a fleet tells of its jobs.
@Suite(.timeLimit(.minutes(10)))
struct StoryTests {
  private static let links = ["http://a.test/1", "http://b.test/", "http://a.test/2", "http://a.test/1"]

  private func drafts(_ links: [String] = links) -> [JobDraft] {
    links.map { JobDraft(kind: .title, input: $0) }
  }

  private func story(_ client: FleetClient, _ job: JobID) async throws -> JSONValue {
    let report = try await client.ask(JobQuestion(job))
    return try JSONDocument(parsing: try #require(report).bytes).root
  }

  private func found(_ client: FleetClient, _ listing: JobListing) async throws -> [JSONValue] {
    var (listing, found) = (listing, [JSONValue]())
    while true {
      let page = try await client.ask(listing)
      found += try page.items.map { try JSONDocument(parsing: $0.bytes).root }
      guard let next = page.next else { return found }
      listing.search.from = next
    }
  }

  private func waitForEnd(_ client: FleetClient, of batch: BatchID) async throws {
    let count = try await client.copy(RowCopies(of: batch, follows: true)) { _ in }
    #expect(count != nil)
  }

  @Test(arguments: [TransportUnderTest.framed, .zeroMQ])
  func `a job that failed and then worked has both attempts in its story`(_ transport: TransportUnderTest)
    async throws
  {
    let tries = Lock(0)
    let network = ScriptedFetching { _ in
      let isFirst = tries.withLock { tries in
        tries += 1
        return tries == 1
      }
      return isFirst
        ? .failure(Failure(.timeout, at: .firstByte, "no byte within 10 s"))
        : .success(.page("<title>A</title>"))
    }
    var pipeline = TestPipeline(transport)
    pipeline.settings.aggregator.retry = RetryRule(retries: 1)
    try await pipeline.withFleet(over: network) { [self] fleet async throws -> Void in
      let (batch, client) = (fleet.newBatch(), try await fleet.client())
      _ = try await fleet.submit(drafts(["http://a.test/"]), as: batch)
      try await waitForEnd(client, of: batch)
      let story = try await story(client, JobID(batch: batch, ordinal: 0))
      #expect(story["schema"]?.string == "halyard.job/1")
      #expect(story["state"]?.string == "done")
      #expect(story["attempts"]?.int64 == 2)
      #expect(story["host"]?.string == "a.test")
      #expect(story["row"]?["title"]?.string == "A")
      #expect(story["next"] == nil)
      let attempts = try #require(story["history"]).elements.map { $0 }
      #expect(attempts.map { $0["end"]?.string } == ["failed", "done"])
      #expect(attempts[0]["error"]?["kind"]?.string == "timeout")
      for attempt in attempts {
        for member in ["began", "ended", "worker"] { #expect(attempt[member]?.string != nil, "\(member)") }
        #expect((attempt["waited_ms"]?.int64 ?? -1) >= 0)
      }
      #expect(try await client.ask(JobQuestion(JobID(batch: batch, ordinal: 1))) == nil)
    }
  }

  @Test(arguments: [TransportUnderTest.framed, .zeroMQ])
  func `jobs are found by link and by state, the newest first`(_ transport: TransportUnderTest) async throws {
    let network = ScriptedFetching([
      "http://a.test/1": .page("<title>1</title>"), "http://a.test/2": .page("<title>2</title>"),
      "http://b.test/": .page("<title>Gone</title>", status: 404),
    ])
    try await TestPipeline(transport).withFleet(over: network) { [self] fleet async throws -> Void in
      let (first, second, client) = (fleet.newBatch(), fleet.newBatch(), try await fleet.client())
      _ = try await fleet.submit(drafts(), as: first)
      _ = try await fleet.submit(drafts(["HTTP://A.test:80/1"]), as: second, name: "another")
      for batch in [first, second] { try await waitForEnd(client, of: batch) }
      let same = try await found(client, JobListing(JobSearch(), link: "http://a.test/1"))
      #expect(
        same.map { $0["id"]?.string }
          == [
            JobID(batch: second, ordinal: 0).description, JobID(batch: first, ordinal: 3).description,
            JobID(batch: first, ordinal: 0).description,
          ])
      #expect(try await found(client, JobListing(JobSearch(), link: "http://a.test/3")).isEmpty)
      #expect(try await found(client, JobListing(JobSearch(), link: "no link")).isEmpty)
      var failed = JobSearch()
      (failed.phase, failed.limit) = (.failed, 1)
      let dead = try await found(client, JobListing(failed))
      #expect(dead.map { $0["input"]?.string } == ["http://b.test/"])
      #expect(dead.map { $0["error"]?.string } == ["http_status"])
      var one = JobSearch()
      (one.batch, one.limit) = (first, 3)
      #expect(try await found(client, JobListing(one)).compactMap { $0["ordinal"]?.int64 } == [3, 2, 1, 0])
    }
  }

  @Test func `a job that waits says what for`() async throws {
    let (isFree, hasBegun) = (Lock(false), Lock(false))
    let network = ScriptedFetching { _ in
      hasBegun.withLock { $0 = true }
      await until { isFree.withLock { $0 } }
      return .success(.page("<title>A</title>"))
    }
    var pipeline = TestPipeline(.framed)
    pipeline.settings.aggregator.perHost = 1
    try await pipeline.withFleet(over: network) { [self] fleet async throws -> Void in
      let (batch, client) = (fleet.newBatch(), try await fleet.client())
      _ = try await fleet.submit(
        drafts(["http://a.test/1", "http://a.test/2", "http://a.test/1"]), as: batch)
      await until { hasBegun.withLock { $0 } }
      let ids = (0..<3).map { JobID(batch: batch, ordinal: UInt64($0)) }
      var next: [JSONValue?] = []
      for id in ids { next.append(try await story(client, id)["next"]) }
      #expect(next.map { $0?["waits_for"]?.string } == ["worker", "host", "row"])
      #expect(next[1]?["host"]?.string == "a.test")
      #expect(next[1]?["under_way"]?.int64 == 1)
      #expect(next[2]?["job"]?.string == ids[0].description)
      let attempts = try await story(client, ids[0])["history"]
      #expect(attempts?.elements.map { $0["end"]?.string } == ["under_way"])
      isFree.withLock { $0 = true }
      try await waitForEnd(client, of: batch)
    }
  }
}
