import LedgerMemory
import Pipeline
import PipelineTesting
import Testing

@testable import Roles

/// Answers to jobs that only the ledger has: an earlier aggregator gave them out.
@Suite(.timeLimit(.minutes(2)))
struct LateAnswerTests {
  private let fixture = AggregatorFixture()
  private let worker = WorkerID.numbered(1)
  private let fetcher = Address("inproc://fetcher")

  private func job(_ ordinal: UInt64) -> Job {
    var job = Job(batch: fixture.batch, ordinal: ordinal, kind: .unfurl, input: "http://a.test/\(ordinal)")
    job.kept = [KeptColumn("note", "\(ordinal)")]
    return job
  }

  /// Each waits for its second attempt, which is far off.
  private func postponed(_ jobs: [Job]) async throws {
    let events = jobs.enumerated().flatMap { index, job -> [LedgerEvent] in
      let lease = Lease(token: .sealed(UInt64(index) + 1, of: job.id), attempt: 1)
      let cause = Failure(.timeout, at: .body, "slow")
      return [
        .grant(job.id, lease, to: worker),
        .retry(job.id, lease.token, at: fixture.clock.now.advanced(byMilliseconds: 1 << 40), cause: cause),
      ]
    }
    _ = try await fixture.ledger.commit([.submit(jobs)] + events, at: fixture.clock.now)
  }

  private func result(_ job: Job, _ token: UInt64, _ failure: Failure? = nil) -> Message {
    .result(
      JobResult(
        job: job.id, sender: worker, lease: Lease(token: .sealed(token, of: job.id), attempt: 1),
        failure: failure,
        members: Array(#""url":"http://b.test/""#.utf8), milliseconds: 5))
  }

  private var hello: Message {
    .hello(
      Hello(worker: worker, role: .fetcher, locality: "here", address: fetcher, granted: 0, received: 0))
  }

  private var rows: [Row] {
    get async throws {
      try await fixture.ledger.rows(of: fixture.batch, after: 0, limit: 9_999, bytes: .max).map(Row.init)
    }
  }

  private var acknowledged: [UInt64] {
    fixture.sent(to: fetcher).flatMap { message -> [UInt64] in
      if case .ack(let ack) = message { ack.tokens.map(\.value) } else { [] }
    }
  }

  @Test func `a late success is the row of its job, with the user's columns`() async throws {
    let jobs = (0..<2).map(job)
    try await postponed(jobs)
    await fixture.run([[hello, result(jobs[1], 2)], [], []])
    let rows = try await rows
    #expect(rows.map { $0["input"] } == ["http://a.test/1"])
    #expect(rows.map { $0["kept.note"] } == ["1"])
    #expect(
      rows.map { [$0["status"], $0["url"], $0["attempts"], $0["ms"]] } == [
        ["ok", "http://b.test/", "1", "5"]
      ])
    #expect(acknowledged == [2])
  }

  @Test func `more late successes than are read at once all count`() async throws {
    let jobs = (0..<UInt64(Backlog.page) + 5).map(job)
    try await postponed(jobs)
    await fixture.run([jobs.enumerated().map { result($1, UInt64($0) + 1) }, []])
    #expect(try await rows.count == jobs.count)
    #expect(await fixture.ledger.page(JobQuery(.ids(jobs.map(\.id)))).items.isEmpty)
  }

  @Test func `a late failure, and an answer to what is over or unknown, change nothing and are acknowledged`()
    async throws
  {
    let jobs = (0..<3).map(job)
    try await postponed(jobs)
    let over = Settlement(of: jobs[1], .found([], nil, attempts: 1, milliseconds: 1))
    _ = try await fixture.ledger.commit([.settle(over)], at: fixture.clock.now)
    let failure = Failure(.dns, at: .dns, "no such host")
    await fixture.run([[hello, result(jobs[0], 1, failure), result(jobs[1], 2), result(job(7), 3)], [], []])
    #expect(try await rows.map { $0["ms"] } == ["1"])
    #expect(await fixture.ledger.page(JobQuery(.ids(jobs.map(\.id)))).items.map(\.job.ordinal) == [0, 2])
    #expect(acknowledged.sorted() == [1, 2, 3])
  }
}
