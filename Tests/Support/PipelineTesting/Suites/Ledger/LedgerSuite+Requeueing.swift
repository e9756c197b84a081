import Pipeline
import Testing

extension LedgerSuite {
  private typealias Rule = PortRule<any Ledger>

  static let requeueing: [PortRule<any Ledger>] = [
    Rule("a dead letter that is requeued is as good as new, and its row is gone") { ledger async throws in
      let bench = LedgerBench(ledger)
      var job = bench.job(0)
      job.deadline = bench.later
      let second = bench.lease(2, attempt: 2)
      _ = try await bench.commit([
        .submit([job]), .close(bench.batch, total: 1), .grant(job.id, bench.lease(1), to: bench.worker),
        .crash(job.id, LeaseToken(1)), .grant(job.id, second, to: bench.worker),
        bench.settle(job.id, under: second, .dead, failure: .tls),
      ])
      let dead = BatchProgress(total: 1, rows: 1, settled: 1, failed: 1)
      #expect(try await ledger.progress(of: bench.batch) == dead)
      #expect(try await bench.commit(.requeue(job.id)) == .applied)
      #expect(try await bench.life(of: job.id) == JobLife())
      // Its deadline belonged to its first life.
      job.deadline = nil
      #expect(try await ledger.openJobs(.ready, after: nil, limit: 9).map(\.job) == [job])
      #expect(try await ledger.deadJobs(of: nil, after: nil, limit: 9).isEmpty)
      #expect(try await bench.rows().isEmpty)
      let open = BatchProgress(total: 1, rows: 1, settled: 0, failed: 0)
      #expect(try await ledger.progress(of: bench.batch) == open)
      #expect(open.isComplete == false)
    },
    Rule("only dead letters are requeued, and once") { ledger async throws in
      let bench = LedgerBench(ledger)
      let jobs = try await bench.oneInEachState()
      let answers = try await bench.commit(jobs.map { .requeue($0) } + [.requeue(jobs[4])])
      #expect(answers == [.stale, .stale, .stale, .stale, .applied, .stale, .stale, .stale])
      #expect(try await bench.commit(.requeue(bench.job(99).id)) == .stale)
      #expect(try await ledger.progress(of: bench.batch)?.settled == 2)
    },
    Rule("a requeued job ends once more, with a row of a new number") { ledger async throws in
      let bench = LedgerBench(ledger)
      let jobs = bench.jobs(3)
      _ = try await bench.commit([
        .submit(jobs), .close(bench.batch, total: 3),
        bench.settle(jobs[0].id, under: nil, .dead, failure: .tls, row: "a"),
        bench.settle(jobs[1].id, under: nil, row: "b"), bench.settle(jobs[2].id, under: nil, row: "c"),
        .requeue(jobs[0].id),
      ])
      #expect(try await bench.rows().map(\.number) == [2, 3])
      #expect(try await bench.rows(limit: 1).map(\.number) == [2])
      #expect(try await ledger.progress(of: bench.batch)?.isComplete == false)
      #expect(try await bench.commit(.submit(jobs)) == .inserted(0))
      let lease = bench.lease(5)
      let answers = try await bench.commit([
        .grant(jobs[0].id, lease, to: bench.worker), bench.settle(jobs[0].id, under: lease, row: "A"),
      ])
      #expect(answers == [.applied, .applied])
      #expect(try await bench.rows().map(\.number) == [2, 3, 4])
      #expect(try await bench.rows(after: 3).map(\.json) == [Array("A".utf8)])
      let complete = BatchProgress(total: 3, rows: 4, settled: 3, failed: 0)
      #expect(try await ledger.progress(of: bench.batch) == complete)
      #expect(complete.isComplete)
    },
    Rule("rows are confirmed past the number that a requeued job left unused") { ledger async throws in
      let bench = LedgerBench(ledger)
      let jobs = bench.jobs(2)
      _ = try await bench.commit([
        .submit(jobs), bench.settle(jobs[0].id, under: nil),
        bench.settle(jobs[1].id, under: nil, .dead, failure: .tls), .requeue(jobs[1].id),
      ])
      #expect(try await bench.commit(.confirmRows(bench.batch, upTo: 2)) == .applied)
      _ = try await bench.commit(bench.settle(jobs[1].id, under: nil))
      #expect(try await bench.rows(after: 2).map(\.number) == [3])
      #expect(try await bench.commit(.confirmRows(bench.batch, upTo: 3)) == .applied)
    },
    Rule("the failure of a worker from before the requeue is dropped") { ledger async throws in
      let bench = LedgerBench(ledger)
      let job = try await bench.leasedJob()
      _ = try await bench.commit([bench.settle(job, under: nil, .dead, failure: .deadline), .requeue(job)])
      let answers = try await bench.commit([
        bench.settle(job, under: bench.lease(1), .dead, failure: .tls),
        bench.settle(job, under: bench.lease(1)), .giveBack(job, LeaseToken(1)),
      ])
      #expect(answers == [.stale, .stale, .stale])
      #expect(try await bench.open(.ready) == [job])
    },
  ]
}
