import LedgerSQLite
import Pipeline
import PipelineTesting
import Testing

@Suite(.timeLimit(.minutes(10)))
struct RunTests {
  private let file: LedgerFileFixture
  private let other = BatchID(UUIDv7(at: Moment(unixMilliseconds: 2_000), uniqueHigh: 3, uniqueLow: 4))

  init() throws {
    file = try LedgerFileFixture()
  }

  @Test func `a run has the same batch every time, another run another`() async throws {
    let ledger = try await file.open()
    #expect(try await ledger.batch(ofRun: "a", orNew: file.batch, deadline: nil) == file.batch)
    #expect(try await ledger.batch(ofRun: "b", orNew: other, deadline: nil) == other)
    await ledger.close()
    #expect(try await file.open().batch(ofRun: "a", orNew: other, deadline: nil) == file.batch)
  }

  @Test func `what a run left open gets a new deadline, and nothing else does`() async throws {
    let ledger = try await file.open()
    _ = try await ledger.batch(ofRun: "a", orNew: file.batch, deadline: nil)
    var jobs = file.jobs(3)
    for index in jobs.indices { jobs[index].deadline = Moment(unixMilliseconds: 5) }
    var foreign = Job(batch: other, ordinal: 0, kind: .title, input: nil)
    foreign.deadline = Moment(unixMilliseconds: 5)
    _ = try await ledger.commit([.submit(jobs + [foreign]), .settle(file.end(of: jobs[0]))], at: file.now)
    let later = Moment(unixMilliseconds: 9)
    _ = try await ledger.batch(ofRun: "a", orNew: other, deadline: later)
    #expect(
      try await ledger.openJobs().map(\.job.deadline) == [
        later, later, foreign.deadline,
      ])
    _ = try await ledger.batch(ofRun: "a", orNew: other, deadline: nil)
    #expect(
      try await ledger.openJobs().map(\.job.deadline) == [
        nil, nil, foreign.deadline,
      ])
  }

  @Test func `jobs of a batch are read from an ordinal on, over or not`() async throws {
    let ledger = try await file.open()
    let foreign = Job(batch: other, ordinal: 2, kind: .title, input: nil)
    _ = try await ledger.commit(
      [.submit(file.jobs(5) + [foreign]), .settle(file.end(of: file.jobs(5)[3]))], at: file.now)
    #expect(try await ledger.jobs(of: file.batch, from: 2, limit: 2) == file.jobs(2, from: 2))
    #expect(try await ledger.jobs(of: file.batch, from: 4, limit: 9) == file.jobs(1, from: 4))
    #expect(try await ledger.jobs(of: file.batch, from: 5, limit: 9).isEmpty)
  }
}
