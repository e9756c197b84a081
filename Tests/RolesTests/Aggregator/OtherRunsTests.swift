import LedgerMemory
import Pipeline
import PipelineTesting
import Testing

@testable import Roles

/// A run whose ledger holds jobs of other runs, which wait to be resumed.
@Suite(.timeLimit(.minutes(10)))
struct OtherRunsTests {
  private static let batch = BatchID(UUIDv7(high: 2, low: 1))
  /// Its ids are less.
  private static let other = BatchID(UUIDv7(high: 1, low: 1))
  private let fixture = AggregatorFixture {
    var settings = AggregatorSettings()
    settings.onlyBatch = batch
    return settings
  }
  private let worker = WorkerID.numbered(1)

  private func job(_ ordinal: UInt64, of batch: BatchID, deadline: Moment? = nil) -> Job {
    var job = Job(batch: batch, ordinal: ordinal, kind: .title, input: "http://a.test/\(ordinal)")
    job.deadline = deadline
    return job
  }

  private func postpone(_ jobs: [Job]) async throws {
    let now = fixture.clock.now
    _ = try await fixture.ledger.commit([.submit(jobs)], at: now)
    for (index, job) in jobs.enumerated() {
      let token = LeaseToken(job.batch.uuid.high << 32 | UInt64(index) + 1)
      let events: [LedgerEvent] = [
        .grant(job.id, Lease(token: token, attempt: 1), to: worker),
        .retry(job.id, token, at: now, cause: Failure(.timeout, at: .body, "slow")),
      ]
      _ = try await fixture.ledger.commit(events, at: now)
    }
  }

  @Test func `jobs of another run are not ended by the time that passes between`() async throws {
    let past = fixture.clock.now.advanced(byMilliseconds: -1)
    let jobs = [job(0, of: Self.other, deadline: past), job(0, of: Self.batch, deadline: past)]
    for job in jobs { _ = try await fixture.ledger.commit([.submit([job])], at: fixture.clock.now) }
    await fixture.run(Array(repeating: [], count: 5))
    #expect(await fixture.ledger.openJobs().map(\.job.batch) == [Self.other])
  }

  @Test func `retries that are due are found behind a page of another run's`() async throws {
    try await postpone((0..<UInt64(Backlog.page)).map { job($0, of: Self.other) })
    try await postpone([job(0, of: Self.batch)])
    await fixture.run(Array(repeating: [], count: 5))
    let due = await fixture.ledger.page(JobQuery(.due(by: fixture.clock.now))).items
    #expect(due.count == Backlog.page)
    #expect(due.allSatisfy { $0.job.batch == Self.other })
  }
}
