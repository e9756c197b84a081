import Pipeline
import Testing

extension LedgerSuite {
  private typealias Rule = PortRule<any Ledger>

  static let leasing: [PortRule<any Ledger>] = [
    Rule("a job is granted once, and only with its next attempt") { ledger in
      let bench = LedgerBench(ledger)
      let job = bench.job(0).id
      _ = try await bench.commit(.submit([bench.job(0)]))
      #expect(try await bench.commit(.grant(job, bench.lease(1, attempt: 0), to: bench.worker)) == .stale)
      #expect(try await bench.commit(.grant(job, bench.lease(1, attempt: 2), to: bench.worker)) == .stale)
      #expect(try await bench.commit(.grant(job, bench.lease(1), to: bench.worker)) == .applied)
      #expect(try await bench.commit(.grant(job, bench.lease(2), to: bench.worker)) == .stale)
      #expect(try await bench.commit(.grant(job, bench.lease(2, attempt: 2), to: bench.worker)) == .stale)
      #expect(try await bench.life(of: job)?.state == .leased(LeaseToken(1)))
    },
    Rule("a commit that is repeated changes nothing, and counts nothing twice") { ledger in
      let bench = LedgerBench(ledger)
      let jobs = (0..<3).map { bench.job($0) }
      let events: [LedgerEvent] = [
        .submit(jobs), .grant(jobs[0].id, bench.lease(1), to: bench.worker),
        .grant(jobs[1].id, bench.lease(2), to: bench.worker), bench.settle(jobs[1].id, under: bench.lease(2)),
      ]
      _ = try await bench.commit(events)
      let before = try await ledger.summary(batches: 9)
      #expect(before.jobs.ready == 1 && before.jobs.leased == 1)
      #expect(try await bench.commit(events) == [.inserted(0), .applied, .stale, .stale])
      #expect(try await ledger.summary(batches: 9) == before)
      #expect(try await bench.rows().count == 1)
    },
    Rule("of many who want the same job, one gets it") { ledger in
      let bench = LedgerBench(ledger)
      let job = bench.job(0).id
      _ = try await bench.commit(.submit([bench.job(0)]))
      let granted = try await withThrowingTaskGroup(of: LedgerAnswer.self) { group in
        for token in 1...50 as ClosedRange<UInt64> {
          group.addTask { try await bench.commit(.grant(job, bench.lease(token), to: bench.worker)) }
        }
        return try await group.reduce(into: 0) { $0 += $1 == .applied ? 1 : 0 }
      }
      #expect(granted == 1)
    },
    Rule("what happens to an unknown job is stale") { ledger in
      let bench = LedgerBench(ledger)
      let job = bench.job(0).id
      let answers = try await bench.commit([
        .grant(job, bench.lease(1), to: bench.worker), bench.settle(job, under: nil),
        bench.settle(job, under: bench.lease(1)),
        .retry(job, LeaseToken(1), at: bench.now, cause: Failure(.timeout, at: .body, "slow")),
        .becameDue(job), .giveBack(job, LeaseToken(1)), .crash(job, LeaseToken(1)),
        .confirmRows(bench.batch, upTo: 1),
      ])
      #expect(answers == Array(repeating: .stale, count: 8))
      #expect(try await bench.rows().isEmpty)
    },
    Rule("a retry waits until it is due, and is the next attempt") { ledger in
      let bench = LedgerBench(ledger)
      let job = try await bench.leasedJob()
      let later = bench.now.advanced(byMilliseconds: 2_000)
      let cause = Failure(.timeout, at: .firstByte, "slow")
      #expect(try await bench.commit(.retry(job, LeaseToken(2), at: later, cause: cause)) == .stale)
      #expect(try await bench.commit(.retry(job, LeaseToken(1), at: later, cause: cause)) == .applied)
      #expect(try await bench.commit(.retry(job, LeaseToken(1), at: later, cause: cause)) == .stale)
      #expect(try await bench.life(of: job)?.state == .scheduled(later))
      let second = LedgerEvent.grant(job, bench.lease(2, attempt: 2), to: bench.worker)
      #expect(try await bench.commit([second, .becameDue(job)]) == [.stale, .applied])
      #expect(try await bench.commit([.becameDue(job), second]) == [.stale, .applied])
      #expect(try await bench.life(of: job)?.attempts == 2)
    },
    Rule("a lease handed back undone is not charged") { ledger in
      let bench = LedgerBench(ledger)
      let job = try await bench.leasedJob()
      #expect(try await bench.commit(.giveBack(job, LeaseToken(2))) == .stale)
      #expect(try await bench.commit(.giveBack(job, LeaseToken(1))) == .applied)
      #expect(try await bench.commit(.giveBack(job, LeaseToken(1))) == .stale)
      #expect(try await bench.life(of: job) == JobLife())
      #expect(try await bench.commit(.grant(job, bench.lease(2), to: bench.worker)) == .applied)
    },
    Rule("a crash is charged and counted") { ledger in
      let bench = LedgerBench(ledger)
      let job = try await bench.leasedJob()
      #expect(try await bench.commit(.crash(job, LeaseToken(2))) == .stale)
      #expect(try await bench.commit(.crash(job, LeaseToken(1))) == .applied)
      #expect(try await bench.commit(.crash(job, LeaseToken(1))) == .stale)
      let second = bench.lease(2, attempt: 2)
      #expect(try await bench.commit(.grant(job, second, to: bench.worker)) == .applied)
      #expect(try await bench.commit(.crash(job, LeaseToken(2))) == .applied)
      let life = try await bench.life(of: job)
      #expect(life?.state == .ready)
      #expect(life?.attempts == 2)
      #expect(life?.crashes == 2)
    },
    Rule("a crash that was none is taken back once, whoever holds the job by then") { ledger in
      let bench = LedgerBench(ledger)
      let job = try await bench.leasedJob()
      #expect(try await bench.commit(.absolve(job, from: 0)) == .stale)
      #expect(try await bench.commit(.crash(job, LeaseToken(1))) == .applied)
      #expect(try await bench.commit(.absolve(job, from: 2)) == .stale)
      let second = bench.lease(2, attempt: 2)
      #expect(try await bench.commit(.grant(job, second, to: bench.worker)) == .applied)
      let took = LedgerEvent.absolve(job, from: 1)
      #expect(try await bench.commit([took, took]) == [.applied, .stale])
      let life = try await bench.life(of: job)
      #expect(life?.state == .leased(LeaseToken(2)))
      #expect(life?.crashes == 0)
      #expect(life?.attempts == 1, "that attempt is not charged")
      #expect(try await bench.commit(.giveBack(job, LeaseToken(2))) == .applied)
      #expect(try await bench.life(of: job) == JobLife())
    },
    Rule("the greatest token that was granted is remembered") { ledger async throws in
      let bench = LedgerBench(ledger)
      #expect(try await ledger.lastToken() == LeaseToken(0))
      let jobs = bench.jobs(2)
      _ = try await bench.commit([
        .submit(jobs), .grant(jobs[0].id, bench.lease(7), to: bench.worker),
        .grant(jobs[1].id, bench.lease(5), to: bench.worker),
        .grant(jobs[0].id, bench.lease(9), to: bench.worker),
      ])
      #expect(try await ledger.lastToken() == LeaseToken(7))
      _ = try await bench.commit([
        bench.settle(jobs[0].id, under: bench.lease(7)), .giveBack(jobs[1].id, LeaseToken(5)),
        .grant(jobs[1].id, bench.lease(UInt64(1) << 63), to: bench.worker),
      ])
      #expect(try await ledger.lastToken() == LeaseToken(1 << 63))
    },
  ]
}
