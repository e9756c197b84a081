import LedgerMemory
import Pipeline
import PipelineTesting
import Posix
import Roles
import Testing

/// What an earlier process left in the ledger, and what this one leaves.
@Suite(.timeLimit(.minutes(10)))
struct ResumingTests {
  private let ledger = MemoryLedger()
  private let batch = BatchID(UUIDv7(at: Moment(unixMilliseconds: 1_000), uniqueHigh: 1, uniqueLow: 2))
  private let pages = ScriptedFetching { .success(.page("<title>\($0.url)</title>")) }

  private var pipeline: TestPipeline {
    var pipeline = TestPipeline()
    pipeline.ledger = ledger
    pipeline.batch = batch
    pipeline.leavesJobsOpen = true
    pipeline.settings.aggregator.onlyBatch = batch
    return pipeline
  }

  private func drafts(_ count: Int, known: Bool = false) -> [JobDraft] {
    (0..<count).map { number in
      var draft = JobDraft(kind: .title, input: "http://h\(number).test/")
      draft.isKnown = known
      return draft
    }
  }

  private func submitted(_ count: Int) async throws -> [Job] {
    let jobs = drafts(count).enumerated().map { $1.job(of: batch, ordinal: UInt64($0), deadline: nil) }
    _ = try await ledger.commit([.submit(jobs)], at: Moment(unixMilliseconds: 0))
    return jobs
  }

  @Test func `jobs under a lease of an earlier aggregator are done, under greater tokens`() async throws {
    let jobs = try await submitted(3)
    let lease = Lease(token: LeaseToken(1_000), attempt: 1)
    _ = try await ledger.commit(
      [.grant(jobs[1].id, lease, to: WorkerID(batch.uuid))], at: Moment(unixMilliseconds: 0))
    let rows = try await pipeline.run(drafts(3, known: true), over: pages)
    #expect(rows.map(\.ordinal).sorted() == [0, 1, 2])
    for row in rows { #expect(try Row(row)["attempts"] == "1") }
    #expect(try await ledger.lastToken() == LeaseToken(1_003))
  }

  @Test func `jobs of other batches are left alone`() async throws {
    _ = try await submitted(1)
    let foreign = Job(
      batch: BatchID(UUIDv7(high: 1 << 16 | 0x7000, low: 1 << 63)), ordinal: 0, kind: .title,
      input: "http://x.test/")
    _ = try await ledger.commit([.submit([foreign])], at: Moment(unixMilliseconds: 0))
    #expect(try await pipeline.run(drafts(1, known: true), over: pages).count == 1)
    #expect(await ledger.openJobs().map(\.job) == [foreign])
  }

  @Test func `an interrupted run leaves open what no worker is on`() async throws {
    let arrived = AsyncStream.makeStream(of: Void.self)
    let release = AsyncStream.makeStream(of: Void.self)
    let fetching = ScriptedFetching { _ in
      arrived.continuation.yield()
      for await _ in release.stream { break }
      return .success(.page("<title>x</title>"))
    }
    var pipeline = pipeline
    pipeline.settings.fetcher.concurrency = 1
    let rows = try await pipeline.run(drafts(50), over: fetching) { producer in
      for await _ in arrived.stream { break }
      await producer.interrupt(everything: false, cause: "interrupted")
      release.continuation.finish()
    }
    #expect(rows.allSatisfy { $0.failure == nil })
    let open = await ledger.openJobs()
    #expect(!rows.isEmpty)
    #expect(rows.count + open.count == 50)
    #expect(open.count > 40)
    #expect(open.allSatisfy { $0.life == JobLife() })
  }

  @Test func `a run that is stopped at once leaves everything open`() async throws {
    let arrived = AsyncStream.makeStream(of: Void.self)
    let fetching = ScriptedFetching { request in
      arrived.continuation.yield()
      try? await Task.sleep(for: .seconds(3_600))
      return .failure(Failure(.cancelled, at: .queue, "fetch \(request.url): cancelled"))
    }
    let rows = try await pipeline.run(drafts(3), over: fetching) { producer in
      for await _ in arrived.stream { break }
      await producer.interrupt(everything: true, cause: "interrupted")
    }
    #expect(rows.isEmpty)
    #expect(await ledger.openJobs().count == 3)
  }
}
