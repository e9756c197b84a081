import Pipeline
import Testing

extension LedgerSuite {
  private typealias Rule = PortRule<any Ledger>

  static let reading: [PortRule<any Ledger>] = [
    Rule("an unknown batch has neither progress nor rows") { ledger async throws in
      #expect(try await ledger.progress(of: LedgerFixture.batch(1)) == nil)
      #expect(try await ledger.rows(of: LedgerFixture.batch(1), after: 0, limit: 10, bytes: .max).isEmpty)
    },
    Rule("a batch is known from its first job on, and complete when it is closed and all rows are there") {
      ledger in
      let fixture = LedgerFixture(ledger)
      let jobs = fixture.jobs(2)
      _ = try await fixture.commit(.submit(jobs))
      #expect(try await ledger.progress(of: fixture.batch) == BatchProgress(total: nil, rows: 0, settled: 0))
      _ = try await fixture.commit(fixture.settle(jobs[0].id, under: nil))
      #expect(try await ledger.progress(of: fixture.batch) == BatchProgress(total: nil, rows: 1, settled: 1))
      #expect(try await fixture.commit(.close(fixture.batch, total: 2)) == .applied)
      #expect(try await ledger.progress(of: fixture.batch) == BatchProgress(total: 2, rows: 1, settled: 1))
      _ = try await fixture.commit(fixture.settle(jobs[1].id, under: nil))
      #expect(try await ledger.progress(of: fixture.batch)?.isComplete == true)
      _ = try await fixture.commit(.confirmRows(fixture.batch, upTo: 2))
      #expect(try await ledger.progress(of: fixture.batch) == BatchProgress(total: 2, rows: 2, settled: 2))
    },
    Rule("a batch without jobs is complete as soon as it is closed") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      #expect(try await fixture.commit(.close(fixture.batch, total: 0)) == .applied)
      #expect(try await ledger.progress(of: fixture.batch)?.isComplete == true)
    },
    Rule("open jobs come in the order of their ids, in pages") { ledger in
      var fixture = LedgerFixture(ledger)
      fixture.batch = LedgerFixture.batch(2)
      _ = try await fixture.commit(.submit(fixture.jobs(150).shuffled()))
      let later = fixture.jobs(150).map(\.id)
      fixture.batch = LedgerFixture.batch(1)
      _ = try await fixture.commit(.submit(fixture.jobs(150).shuffled()))
      let earlier = fixture.jobs(150).map(\.id)
      var read: [JobID] = []
      var query = JobQuery(.ready, limit: 64)
      repeat {
        let page = try await ledger.page(query)
        #expect(page.items.count <= 64)
        read += page.items.map(\.id)
        query.after = page.next
      } while query.after != nil
      #expect(read == earlier + later)
      #expect(try await ledger.page(JobQuery(.ready, limit: 0)).items.isEmpty)
    },
    Rule("open jobs are those that are not over, with what has happened to them") { ledger in
      let fixture = LedgerFixture(ledger)
      let jobs = fixture.jobs(5)
      let later = fixture.now.advanced(byMilliseconds: 5)
      _ = try await fixture.commit([
        .submit(jobs), fixture.settle(jobs[0].id, under: nil),
        .grant(jobs[1].id, fixture.lease(1), to: fixture.worker),
        .grant(jobs[2].id, fixture.lease(2), to: fixture.worker),
        .retry(jobs[2].id, LeaseToken(2), at: later, cause: Failure(.timeout, at: .body, "slow")),
        .grant(jobs[3].id, fixture.lease(3), to: fixture.worker), .crash(jobs[3].id, LeaseToken(3)),
      ])
      let open = try await ledger.openJobs()
      #expect(open.map(\.job.id) == jobs.dropFirst().map(\.id))
      #expect(
        open.map(\.life.state) == [.leased(LeaseToken(1)), .scheduled(later), .ready, .ready])
      #expect(open.map(\.life.attempts) == [1, 1, 1, 0])
      #expect(open.map(\.life.crashes) == [0, 0, 1, 0])
    },
    Rule("a page of open jobs goes on after an id that is over by now") { ledger in
      let fixture = LedgerFixture(ledger)
      let jobs = fixture.jobs(4)
      _ = try await fixture.commit([.submit(jobs), fixture.settle(jobs[1].id, under: nil)])
      #expect(
        try await ledger.page(JobQuery(.ready, after: jobs[1].id, limit: 1)).items.map(\.id) == [jobs[2].id])
    },
  ]
}
