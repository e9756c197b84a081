import LedgerSQLite
import Pipeline
import PipelineTesting
import Testing

/// What is left in the file of what was forgotten, beyond the rules of the port.
@Suite(.timeLimit(.minutes(10)))
struct ForgettingTests {
  private let file: LedgerFileFixture
  private let other = BatchID(UUIDv7(at: Moment(unixMilliseconds: 2_000), uniqueHigh: 3, uniqueLow: 4))

  init() throws {
    file = try LedgerFileFixture()
  }

  @Test func `a batch goes with its jobs, its rows and its run, and no other does`() async throws {
    let ledger = try await file.open()
    _ = try await ledger.batch(ofRun: "a", orNew: file.batch, deadline: nil)
    let jobs = file.jobs(2_500)
    let foreign = Job(batch: other, ordinal: 0, kind: .title, input: nil)
    _ = try await ledger.commit(
      [.submit(jobs + [foreign])] + jobs.map { .settle(file.end(of: $0)) }
        + [.settle(file.end(of: foreign)), .close(file.batch, total: 2_500), .close(other, total: 1)],
      at: file.now)
    let after = file.now.advanced(byMilliseconds: 1)
    #expect(try await ledger.forget(.old(unreadBefore: nil), before: after, limit: 9_999) == 0)
    _ = try await ledger.commit([.confirmRows(file.batch, upTo: 2_500)], at: file.now)
    #expect(try await ledger.forget(.old(unreadBefore: nil), before: file.now, limit: 9_999) == 0)
    #expect(try await ledger.forget(.old(unreadBefore: nil), before: after, limit: 1_000) == 1_000)
    #expect(try await ledger.jobs(of: file.batch, from: 0, limit: 9).first?.ordinal == 1_000)
    #expect(try await ledger.forget(.old(unreadBefore: nil), before: after, limit: 9_999) == 1_500)
    #expect(try await ledger.progress(of: file.batch) == nil)
    #expect(try await ledger.jobs(of: file.batch, from: 0, limit: 9).isEmpty)
    #expect(try await ledger.rows(of: other, after: 0, limit: 9, bytes: .max).count == 1)
    #expect(try await ledger.batch(ofRun: "a", orNew: other, deadline: nil) == other)
    #expect(try await ledger.commit([.submit(file.jobs(1))], at: file.now) == [.inserted(1)])
  }

  @Test func `a dead letter can be requeued when its row is confirmed, and what it failed of is forgotten`()
    async throws
  {
    let ledger = try await file.open()
    let job = file.jobs(1)[0]
    let lease = Lease(token: LeaseToken(1), attempt: 1)
    _ = try await ledger.commit(
      [
        .submit([job]), .close(file.batch, total: 1), .grant(job.id, lease, to: file.worker),
        .retry(job.id, lease.token, at: file.now, cause: Failure(.timeout, at: .body, "slow")),
        .settle(file.end(of: job, failure: .timeout)), .confirmRows(file.batch, upTo: 1),
      ], at: file.now)
    #expect(try await ledger.story(of: job.id)?.attempts.count == 1)
    #expect(try await ledger.commit([.requeue(job.id)], at: file.now) == [.applied])
    #expect(try await ledger.story(of: job.id)?.attempts.isEmpty == true)
    let after = file.now.advanced(byMilliseconds: 1)
    #expect(try await ledger.forget(.old(unreadBefore: after), before: after, limit: 9) == 0)
    _ = try await ledger.commit([.settle(file.end(of: job))], at: file.now)
    #expect(
      try await ledger.forget(.old(unreadBefore: nil), before: after, limit: 9) == 0,
      "its new row is not confirmed")
    #expect(try await ledger.rows(of: file.batch, after: 1, limit: 9, bytes: .max).map(\.number) == [2])
  }
}
