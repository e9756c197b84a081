import Pipeline
import Testing

extension LedgerSuite {
  private typealias Rule = PortRule<any Ledger>

  static let requeueing: [PortRule<any Ledger>] = [
    Rule("a dead letter that is requeued is as good as new, and its row is gone") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      var job = fixture.job(0)
      job.deadline = fixture.later
      let second = fixture.lease(2, attempt: 2)
      _ = try await fixture.commit([
        .submit([job]), .close(fixture.batch, total: 1), .grant(job.id, fixture.lease(1), to: fixture.worker),
        .crash(job.id, LeaseToken(1)), .grant(job.id, second, to: fixture.worker),
        fixture.settle(job.id, under: second, .dead, failure: .tls),
      ])
      let dead = BatchProgress(total: 1, rows: 1, settled: 1, failed: 1)
      #expect(try await ledger.progress(of: fixture.batch) == dead)
      #expect(try await fixture.commit(.requeue(job.id)) == .applied)
      #expect(try await fixture.life(of: job.id) == JobLife())
      // Its deadline belonged to its first life.
      job.deadline = nil
      #expect(try await ledger.page(JobQuery(.ready)).items.map(\.job) == [job])
      #expect(try await ledger.deadJobs(of: nil, after: nil, limit: 9).isEmpty)
      #expect(try await fixture.rows().isEmpty)
      let open = BatchProgress(total: 1, rows: 1, settled: 0, failed: 0)
      #expect(try await ledger.progress(of: fixture.batch) == open)
      #expect(open.isComplete == false)
    },
    Rule("dead letters tell how they failed") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      let jobs = fixture.jobs(3)
      _ = try await fixture.commit([
        .submit(jobs), fixture.settle(jobs[0].id, under: nil, .dead, failure: .tls),
        fixture.settle(jobs[1].id, under: nil, .dead, failure: .timeout),
        fixture.settle(jobs[2].id, under: nil),
      ])
      var search = JobSearch()
      search.phase = .failed
      let dead = try await ledger.jobs(search).items
      #expect(dead.map(\.job.id) == [jobs[1].id, jobs[0].id])
      #expect(dead.map(\.failure) == [.timeout, .tls])
    },
    Rule("only dead letters are requeued, and once") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      let jobs = try await fixture.oneInEachState()
      let answers = try await fixture.commit(jobs.map { .requeue($0) } + [.requeue(jobs[4])])
      #expect(answers == [.stale, .stale, .stale, .stale, .applied, .stale, .stale, .stale])
      #expect(try await fixture.commit(.requeue(fixture.job(99).id)) == .stale)
      #expect(try await ledger.progress(of: fixture.batch)?.settled == 2)
    },
    Rule("a requeued job ends once more, with a row of a new number") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      let jobs = fixture.jobs(3)
      _ = try await fixture.commit([
        .submit(jobs), .close(fixture.batch, total: 3),
        fixture.settle(jobs[0].id, under: nil, .dead, failure: .tls, row: "a"),
        fixture.settle(jobs[1].id, under: nil, row: "b"), fixture.settle(jobs[2].id, under: nil, row: "c"),
        .requeue(jobs[0].id),
      ])
      #expect(try await fixture.rows().map(\.number) == [2, 3])
      #expect(try await fixture.rows(limit: 1).map(\.number) == [2])
      #expect(try await ledger.progress(of: fixture.batch)?.isComplete == false)
      #expect(try await fixture.commit(.submit(jobs)) == .inserted(0))
      let lease = fixture.lease(5)
      let answers = try await fixture.commit([
        .grant(jobs[0].id, lease, to: fixture.worker), fixture.settle(jobs[0].id, under: lease, row: "A"),
      ])
      #expect(answers == [.applied, .applied])
      #expect(try await fixture.rows().map(\.number) == [2, 3, 4])
      #expect(try await fixture.rows(after: 3).map(\.json) == [Array("A".utf8)])
      let complete = BatchProgress(total: 3, rows: 4, settled: 3, failed: 0)
      #expect(try await ledger.progress(of: fixture.batch) == complete)
      #expect(complete.isComplete)
    },
    Rule("rows are confirmed past the number that a requeued job left unused") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      let jobs = fixture.jobs(2)
      _ = try await fixture.commit([
        .submit(jobs), fixture.settle(jobs[0].id, under: nil),
        fixture.settle(jobs[1].id, under: nil, .dead, failure: .tls), .requeue(jobs[1].id),
      ])
      #expect(try await fixture.commit(.confirmRows(fixture.batch, upTo: 2)) == .applied)
      _ = try await fixture.commit(fixture.settle(jobs[1].id, under: nil))
      #expect(try await fixture.rows(after: 2).map(\.number) == [3])
      #expect(try await fixture.commit(.confirmRows(fixture.batch, upTo: 3)) == .applied)
    },
    Rule("the failure of a worker from before the requeue is dropped") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      let job = try await fixture.leasedJob()
      _ = try await fixture.commit([
        fixture.settle(job, under: nil, .dead, failure: .deadline), .requeue(job),
      ])
      let answers = try await fixture.commit([
        fixture.settle(job, under: fixture.lease(1), .dead, failure: .tls),
        fixture.settle(job, under: fixture.lease(1)), .giveBack(job, LeaseToken(1)),
      ])
      #expect(answers == [.stale, .stale, .stale])
      #expect(try await fixture.open(.ready) == [job])
    },
  ]
}
