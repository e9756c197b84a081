import Pipeline
import Testing

extension LedgerSuite {
  private typealias Rule = PortRule<any Ledger>

  static let settling: [PortRule<any Ledger>] = [
    Rule("a job is settled once, whatever comes after") { ledger in
      let bench = LedgerBench(ledger)
      let job = try await bench.leasedJob()
      let answers = try await bench.commit([
        bench.settle(job, under: bench.lease(1), row: "first"),
        bench.settle(job, under: bench.lease(1), row: "second"),
        bench.settle(job, under: bench.lease(1), .dead, failure: .dns),
        bench.settle(job, under: nil, .cancelled),
        .grant(job, bench.lease(2, attempt: 2), to: bench.worker), .giveBack(job, LeaseToken(1)),
        .crash(job, LeaseToken(1)), .becameDue(job),
        .retry(job, LeaseToken(1), at: bench.now, cause: Failure(.timeout, at: .body, "slow")),
      ])
      #expect(answers == [.applied] + Array(repeating: .stale, count: 8))
      #expect(try await bench.rows().map(\.json) == [Array("first".utf8)])
      #expect(try await bench.life(of: job) == nil)
    },
    Rule("the success of an earlier attempt is as good as one of the current") { ledger in
      let bench = LedgerBench(ledger)
      let job = try await bench.leasedJob()
      _ = try await bench.commit([
        .crash(job, LeaseToken(1)), .grant(job, bench.lease(2, attempt: 2), to: bench.worker),
      ])
      #expect(try await bench.commit(bench.settle(job, under: bench.lease(1), row: "zombie")) == .applied)
      #expect(try await bench.commit(bench.settle(job, under: bench.lease(2, attempt: 2))) == .stale)
      #expect(try await bench.rows().map(\.json) == [Array("zombie".utf8)])
    },
    Rule("a late success counts while the job waits for its next attempt") { ledger in
      let bench = LedgerBench(ledger)
      let job = try await bench.leasedJob(0)
      let other = bench.job(1)
      _ = try await bench.commit([
        .crash(job, LeaseToken(1)), .submit([other]), .grant(other.id, bench.lease(2), to: bench.worker),
        .retry(other.id, LeaseToken(2), at: bench.now, cause: Failure(.timeout, at: .body, "slow")),
      ])
      #expect(try await bench.commit(bench.settle(job, under: bench.lease(1))) == .applied)
      #expect(try await bench.commit(bench.settle(other.id, under: bench.lease(2))) == .applied)
    },
    Rule("the failure of a worker that lost its lease is dropped") { ledger in
      let bench = LedgerBench(ledger)
      let job = try await bench.leasedJob()
      let late = bench.settle(job, under: bench.lease(1), .dead, failure: .dns)
      _ = try await bench.commit(.crash(job, LeaseToken(1)))
      #expect(try await bench.commit(late) == .stale)
      _ = try await bench.commit(.grant(job, bench.lease(2, attempt: 2), to: bench.worker))
      #expect(try await bench.commit(late) == .stale)
      #expect(try await bench.rows().isEmpty)
      #expect(try await bench.life(of: job)?.state == .leased(LeaseToken(2)))
    },
    Rule("an answer to an attempt that was never made is dropped") { ledger in
      let bench = LedgerBench(ledger)
      _ = try await bench.commit(.submit([bench.job(0)]))
      let job = bench.job(0).id
      #expect(try await bench.commit(bench.settle(job, under: bench.lease(9))) == .stale)
      #expect(try await bench.life(of: job) == JobLife())
    },
    Rule("the aggregator ends a job in any state") { ledger in
      let bench = LedgerBench(ledger)
      let jobs = bench.jobs(3)
      _ = try await bench.commit([
        .submit(jobs), .grant(jobs[1].id, bench.lease(1), to: bench.worker),
        .grant(jobs[2].id, bench.lease(2), to: bench.worker),
        .retry(jobs[2].id, LeaseToken(2), at: bench.now, cause: Failure(.timeout, at: .body, "slow")),
      ])
      for (job, kind) in zip(jobs, [.cancelled, .deadline, .poisoned] as [FailureKind]) {
        #expect(try await bench.commit(bench.settle(job.id, under: nil, .dead, failure: kind)) == .applied)
      }
      #expect(try await bench.rows().map(\.failure) == [.cancelled, .deadline, .poisoned])
    },
  ]
}
