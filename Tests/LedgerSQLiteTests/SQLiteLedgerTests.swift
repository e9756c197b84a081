import Pipeline
import PipelineTesting
import Testing

@testable import LedgerSQLite

@Suite(.timeLimit(.minutes(10)))
struct SQLiteLedgerTests {
  @Test(arguments: LedgerSuite.rules)
  func `the ledger in a file keeps the rules of the port`(rule: PortRule<any Ledger>) async throws {
    let directory = try TemporaryDirectory()
    let ledger = try await SQLiteLedger.open(path: directory.file("a.ledger"))
    try await rule.prove(on: ledger)
    await ledger.close()
  }

  @Test func `everything is there when it is opened again`() async throws {
    let file = try LedgerFileFixture()
    let ledger = try await file.open()
    let jobs = file.jobs(5)
    let later = file.now.advanced(byMilliseconds: 9)
    let cause = Failure(.dns, at: .dns, "no answer", retryable: true, retryAfterMilliseconds: 7)
    _ = try await ledger.commit(
      [
        .submit(jobs), .grant(jobs[0].id, Lease(token: LeaseToken(.max), attempt: 1), to: file.worker),
        .grant(jobs[1].id, Lease(token: LeaseToken(3), attempt: 1), to: file.worker),
        .retry(jobs[1].id, LeaseToken(3), at: later, cause: cause),
        .settle(file.end(of: jobs[2], failure: .tls, row: "two")),
        .settle(file.end(of: jobs[3], row: "three")),
        .close(file.batch, total: 5), .confirmRows(file.batch, upTo: 1),
      ], at: file.now)
    await ledger.close()

    let again = try await file.open()
    let open = try await again.openJobs()
    #expect(open.map(\.job) == [jobs[0], jobs[1], jobs[4]])
    #expect(open.map(\.life.state) == [.leased(LeaseToken(.max)), .scheduled(later), .ready])
    #expect(open.map(\.life.attempts) == [1, 1, 0])
    #expect(open.map(\.state.worker) == [file.worker, nil, nil])
    let rows = try await again.rows(of: file.batch, after: 0, limit: 10, bytes: .max)
    #expect(rows.map(\.failure) == [.tls, nil])
    #expect(rows.map { String(decoding: $0.json, as: UTF8.self) } == ["two", "three"])
    #expect(
      try await again.progress(of: file.batch) == BatchProgress(total: 5, rows: 2, settled: 2, failed: 1))
    #expect(try await again.lastToken() == LeaseToken(.max))
    #expect(try await again.story(of: jobs[1].id)?.attempts.map(\.failure) == [cause])
    let confirm = LedgerEvent.confirmRows(file.batch, upTo: 1)
    #expect(try await again.commit([confirm], at: file.now) == [.stale])
  }

  @Test func `nothing works once it is closed`() async throws {
    let ledger = try await LedgerFileFixture().open()
    await ledger.close()
    let error = await #expect(throws: LedgerError.self) { try await ledger.shares() }
    #expect(error?.message == "read ledger \(ledger.path): it was closed")
  }

  @Test func `a cancelled task still learns how its commit ended`() async throws {
    let file = try LedgerFileFixture()
    let ledger = try await file.open()
    let task = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return try await ledger.commit([.submit(file.jobs(3))], at: file.now)
    }
    #expect(try await task.value == [.inserted(3)])
  }
}
