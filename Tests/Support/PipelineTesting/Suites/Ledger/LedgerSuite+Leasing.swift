import Pipeline
import Testing

extension LedgerSuite {
  private typealias Rule = PortRule<any Ledger>

  static let leasing: [PortRule<any Ledger>] = [
    Rule("a job is granted once, and only with its next attempt") { ledger in
      let fixture = LedgerFixture(ledger)
      let job = fixture.job(0).id
      _ = try await fixture.commit(.submit([fixture.job(0)]))
      #expect(
        try await fixture.commit(.grant(job, fixture.lease(1, attempt: 0), to: fixture.worker)) == .stale)
      #expect(
        try await fixture.commit(.grant(job, fixture.lease(1, attempt: 2), to: fixture.worker)) == .stale)
      #expect(try await fixture.commit(.grant(job, fixture.lease(1), to: fixture.worker)) == .applied)
      #expect(try await fixture.commit(.grant(job, fixture.lease(2), to: fixture.worker)) == .stale)
      #expect(
        try await fixture.commit(.grant(job, fixture.lease(2, attempt: 2), to: fixture.worker)) == .stale)
      #expect(try await fixture.life(of: job)?.state == .leased(LeaseToken(1)))
    },
    Rule("a commit that is repeated changes nothing, and counts nothing twice") { ledger in
      let fixture = LedgerFixture(ledger)
      let jobs = (0..<3).map { fixture.job($0) }
      let events: [LedgerEvent] = [
        .submit(jobs), .grant(jobs[0].id, fixture.lease(1), to: fixture.worker),
        .grant(jobs[1].id, fixture.lease(2), to: fixture.worker),
        fixture.settle(jobs[1].id, under: fixture.lease(2)),
      ]
      _ = try await fixture.commit(events)
      let before = try await ledger.summary(batches: 9)
      #expect(before.jobs.ready == 1 && before.jobs.leased == 1)
      #expect(try await fixture.commit(events) == [.inserted(0), .applied, .stale, .stale])
      #expect(try await ledger.summary(batches: 9) == before)
      #expect(try await fixture.rows().count == 1)
    },
    Rule("of many who want the same job, one gets it") { ledger in
      let fixture = LedgerFixture(ledger)
      let job = fixture.job(0).id
      _ = try await fixture.commit(.submit([fixture.job(0)]))
      let granted = try await withThrowingTaskGroup(of: LedgerAnswer.self) { group in
        for token in 1...50 as ClosedRange<UInt64> {
          group.addTask { try await fixture.commit(.grant(job, fixture.lease(token), to: fixture.worker)) }
        }
        return try await group.reduce(into: 0) { $0 += $1 == .applied ? 1 : 0 }
      }
      #expect(granted == 1)
    },
    Rule("what happens to an unknown job is stale") { ledger in
      let fixture = LedgerFixture(ledger)
      let job = fixture.job(0).id
      let answers = try await fixture.commit([
        .grant(job, fixture.lease(1), to: fixture.worker), fixture.settle(job, under: nil),
        fixture.settle(job, under: fixture.lease(1)),
        .retry(job, LeaseToken(1), at: fixture.now, cause: Failure(.timeout, at: .body, "slow")),
        .becameDue(job), .giveBack(job, LeaseToken(1)), .crash(job, LeaseToken(1)),
        .confirmRows(fixture.batch, upTo: 1),
      ])
      #expect(answers == Array(repeating: .stale, count: 8))
      #expect(try await fixture.rows().isEmpty)
    },
    Rule("a retry waits until it is due, and is the next attempt") { ledger in
      let fixture = LedgerFixture(ledger)
      let job = try await fixture.leasedJob()
      let later = fixture.now.advanced(byMilliseconds: 2_000)
      let cause = Failure(.timeout, at: .firstByte, "slow")
      #expect(try await fixture.commit(.retry(job, LeaseToken(2), at: later, cause: cause)) == .stale)
      #expect(try await fixture.commit(.retry(job, LeaseToken(1), at: later, cause: cause)) == .applied)
      #expect(try await fixture.commit(.retry(job, LeaseToken(1), at: later, cause: cause)) == .stale)
      #expect(try await fixture.life(of: job)?.state == .scheduled(later))
      let second = LedgerEvent.grant(job, fixture.lease(2, attempt: 2), to: fixture.worker)
      #expect(try await fixture.commit([second, .becameDue(job)]) == [.stale, .applied])
      #expect(try await fixture.commit([.becameDue(job), second]) == [.stale, .applied])
      #expect(try await fixture.life(of: job)?.attempts == 2)
    },
    Rule("a lease handed back undone is not charged") { ledger in
      let fixture = LedgerFixture(ledger)
      let job = try await fixture.leasedJob()
      #expect(try await fixture.commit(.giveBack(job, LeaseToken(2))) == .stale)
      #expect(try await fixture.commit(.giveBack(job, LeaseToken(1))) == .applied)
      #expect(try await fixture.commit(.giveBack(job, LeaseToken(1))) == .stale)
      #expect(try await fixture.life(of: job) == JobLife())
      #expect(try await fixture.commit(.grant(job, fixture.lease(2), to: fixture.worker)) == .applied)
    },
    Rule("a crash is charged and counted") { ledger in
      let fixture = LedgerFixture(ledger)
      let job = try await fixture.leasedJob()
      #expect(try await fixture.commit(.crash(job, LeaseToken(2))) == .stale)
      #expect(try await fixture.commit(.crash(job, LeaseToken(1))) == .applied)
      #expect(try await fixture.commit(.crash(job, LeaseToken(1))) == .stale)
      let second = fixture.lease(2, attempt: 2)
      #expect(try await fixture.commit(.grant(job, second, to: fixture.worker)) == .applied)
      #expect(try await fixture.commit(.crash(job, LeaseToken(2))) == .applied)
      let life = try await fixture.life(of: job)
      #expect(life?.state == .ready)
      #expect(life?.attempts == 2)
      #expect(life?.crashes == 2)
    },
    Rule("a crash that was none is taken back once, whoever holds the job by then") { ledger in
      let fixture = LedgerFixture(ledger)
      let job = try await fixture.leasedJob()
      #expect(try await fixture.commit(.absolve(job, from: 0)) == .stale)
      #expect(try await fixture.commit(.crash(job, LeaseToken(1))) == .applied)
      #expect(try await fixture.commit(.absolve(job, from: 2)) == .stale)
      let second = fixture.lease(2, attempt: 2)
      #expect(try await fixture.commit(.grant(job, second, to: fixture.worker)) == .applied)
      let took = LedgerEvent.absolve(job, from: 1)
      #expect(try await fixture.commit([took, took]) == [.applied, .stale])
      let life = try await fixture.life(of: job)
      #expect(life?.state == .leased(LeaseToken(2)))
      #expect(life?.crashes == 0)
      #expect(life?.attempts == 1, "that attempt is not charged")
      #expect(try await fixture.commit(.giveBack(job, LeaseToken(2))) == .applied)
      #expect(try await fixture.life(of: job) == JobLife())
    },
    Rule("the greatest token that was granted is remembered") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      #expect(try await ledger.lastToken() == LeaseToken(0))
      let jobs = fixture.jobs(2)
      _ = try await fixture.commit([
        .submit(jobs), .grant(jobs[0].id, fixture.lease(7), to: fixture.worker),
        .grant(jobs[1].id, fixture.lease(5), to: fixture.worker),
        .grant(jobs[0].id, fixture.lease(9), to: fixture.worker),
      ])
      #expect(try await ledger.lastToken() == LeaseToken(7))
      _ = try await fixture.commit([
        fixture.settle(jobs[0].id, under: fixture.lease(7)), .giveBack(jobs[1].id, LeaseToken(5)),
        .grant(jobs[1].id, fixture.lease(UInt64(1) << 63), to: fixture.worker),
      ])
      #expect(try await ledger.lastToken() == LeaseToken(1 << 63))
    },
  ]
}
