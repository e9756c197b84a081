import Pipeline
import Testing

extension LedgerSuite {
  private typealias Rule = PortRule<any Ledger>

  static let settling: [PortRule<any Ledger>] = [
    Rule("a job is settled once, whatever comes after") { ledger in
      let fixture = LedgerFixture(ledger)
      let job = try await fixture.leasedJob()
      let answers = try await fixture.commit([
        fixture.settle(job, under: fixture.lease(1), row: "first"),
        fixture.settle(job, under: fixture.lease(1), row: "second"),
        fixture.settle(job, under: fixture.lease(1), .dead, failure: .dns),
        fixture.settle(job, under: nil, .cancelled),
        .grant(job, fixture.lease(2, attempt: 2), to: fixture.worker), .giveBack(job, LeaseToken(1)),
        .crash(job, LeaseToken(1)), .becameDue(job),
        .retry(job, LeaseToken(1), at: fixture.now, cause: Failure(.timeout, at: .body, "slow")),
      ])
      #expect(answers == [.applied] + Array(repeating: .stale, count: 8))
      #expect(try await fixture.rows().map(\.json) == [Array("first".utf8)])
      #expect(try await fixture.life(of: job) == nil)
    },
    Rule("the success of an earlier attempt is as good as one of the current") { ledger in
      let fixture = LedgerFixture(ledger)
      let job = try await fixture.leasedJob()
      _ = try await fixture.commit([
        .crash(job, LeaseToken(1)), .grant(job, fixture.lease(2, attempt: 2), to: fixture.worker),
      ])
      #expect(
        try await fixture.commit(fixture.settle(job, under: fixture.lease(1), row: "zombie")) == .applied)
      #expect(try await fixture.commit(fixture.settle(job, under: fixture.lease(2, attempt: 2))) == .stale)
      #expect(try await fixture.rows().map(\.json) == [Array("zombie".utf8)])
    },
    Rule("a late success counts while the job waits for its next attempt") { ledger in
      let fixture = LedgerFixture(ledger)
      let job = try await fixture.leasedJob(0)
      let other = fixture.job(1)
      _ = try await fixture.commit([
        .crash(job, LeaseToken(1)), .submit([other]), .grant(other.id, fixture.lease(2), to: fixture.worker),
        .retry(other.id, LeaseToken(2), at: fixture.now, cause: Failure(.timeout, at: .body, "slow")),
      ])
      #expect(try await fixture.commit(fixture.settle(job, under: fixture.lease(1))) == .applied)
      #expect(try await fixture.commit(fixture.settle(other.id, under: fixture.lease(2))) == .applied)
    },
    Rule("the failure of a worker that lost its lease is dropped") { ledger in
      let fixture = LedgerFixture(ledger)
      let job = try await fixture.leasedJob()
      let late = fixture.settle(job, under: fixture.lease(1), .dead, failure: .dns)
      _ = try await fixture.commit(.crash(job, LeaseToken(1)))
      #expect(try await fixture.commit(late) == .stale)
      _ = try await fixture.commit(.grant(job, fixture.lease(2, attempt: 2), to: fixture.worker))
      #expect(try await fixture.commit(late) == .stale)
      #expect(try await fixture.rows().isEmpty)
      #expect(try await fixture.life(of: job)?.state == .leased(LeaseToken(2)))
    },
    Rule("an answer to an attempt that was never made is dropped") { ledger in
      let fixture = LedgerFixture(ledger)
      _ = try await fixture.commit(.submit([fixture.job(0)]))
      let job = fixture.job(0).id
      #expect(try await fixture.commit(fixture.settle(job, under: fixture.lease(9))) == .stale)
      #expect(try await fixture.life(of: job) == JobLife())
    },
    Rule("the aggregator ends a job in any state") { ledger in
      let fixture = LedgerFixture(ledger)
      let jobs = fixture.jobs(3)
      _ = try await fixture.commit([
        .submit(jobs), .grant(jobs[1].id, fixture.lease(1), to: fixture.worker),
        .grant(jobs[2].id, fixture.lease(2), to: fixture.worker),
        .retry(jobs[2].id, LeaseToken(2), at: fixture.now, cause: Failure(.timeout, at: .body, "slow")),
      ])
      for (job, kind) in zip(jobs, [.cancelled, .deadline, .poisoned] as [FailureKind]) {
        #expect(
          try await fixture.commit(fixture.settle(job.id, under: nil, .dead, failure: kind)) == .applied)
      }
      #expect(try await fixture.rows().map(\.failure) == [.cancelled, .deadline, .poisoned])
    },
  ]
}
