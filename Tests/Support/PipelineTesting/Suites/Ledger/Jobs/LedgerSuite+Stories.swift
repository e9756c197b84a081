import Pipeline
import Testing

extension LedgerSuite {
  private typealias Rule = PortRule<any Ledger>

  static let stories: [PortRule<any Ledger>] = [
    Rule("an unknown job has no story") { ledger async throws in
      #expect(try await ledger.story(of: LedgerFixture(ledger).job(0).id) == nil)
    },
    Rule("a story has the times and the worker of every attempt") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      let (job, other) = (fixture.job(0), LedgerFixture.worker(7))
      let slow = Failure(.timeout, at: .body, "slow")
      _ = try await fixture.commit(.submit([job], hosts: ["a.test"]), after: 0)
      _ = try await fixture.commit(.grant(job.id, fixture.lease(1), to: fixture.worker), after: 10)
      _ = try await fixture.commit(
        .retry(job.id, LeaseToken(1), at: fixture.moment(500), cause: slow), after: 20)
      _ = try await fixture.commit(.becameDue(job.id), after: 500)
      let second = fixture.lease(2, attempt: 2)
      _ = try await fixture.commit(.grant(job.id, second, to: other), after: 510)
      let story = try #require(try await ledger.story(of: job.id))
      #expect(story.history.job == job)
      #expect(story.history.host == "a.test")
      #expect(story.history.life == JobLife(state: .leased(LeaseToken(2)), attempts: 2, crashes: 0))
      #expect(story.history.submittedAt == fixture.moment(0))
      #expect(story.history.state.grantedAt == fixture.moment(510))
      #expect(story.history.state.worker == other)
      #expect(story.history.state.endedAt == nil)
      #expect(story.row == nil)
      var first = PastAttempt(attempt: 1, endedAt: fixture.moment(20), failure: slow)
      (first.grantedAt, first.worker, first.nextAt) = (
        fixture.moment(10), fixture.worker, fixture.moment(500)
      )
      #expect(story.attempts == [first])
      _ = try await fixture.commit(
        fixture.settle(job.id, under: second, .dead, failure: .tls, row: "end"), after: 600)
      let end = try #require(try await ledger.story(of: job.id))
      #expect(end.history.life.state == .over(.dead))
      #expect(end.history.state.endedAt == fixture.moment(600))
      #expect(end.history.state.worker == other)
      #expect(end.history.state.grantedAt == fixture.moment(510))
      #expect(end.history.failure == .tls)
      #expect(end.attempts == [first])
      #expect(end.row?.json == Array("end".utf8))
    },
    Rule("a worker's death is an attempt without a failure, until it turns out to live") {
      ledger async throws in
      let fixture = LedgerFixture(ledger)
      let job = try await fixture.leasedJob()
      #expect(try await fixture.commit(.crash(job, LeaseToken(1)), after: 30) == .applied)
      #expect(try await fixture.commit(.crash(job, LeaseToken(1)), after: 40) == .stale)
      let story = try #require(try await ledger.story(of: job))
      var death = PastAttempt(attempt: 1, endedAt: fixture.moment(30), failure: nil)
      (death.grantedAt, death.worker) = (fixture.now, fixture.worker)
      #expect(story.attempts == [death])
      #expect(story.history.life.crashes == 1)
      _ = try await fixture.commit(.absolve(job, from: 1))
      #expect(try await ledger.story(of: job)?.attempts == [])
    },
    Rule("an attempt that is handed back leaves no trace") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      let job = try await fixture.leasedJob()
      _ = try await fixture.commit(.giveBack(job, LeaseToken(1)))
      let story = try #require(try await ledger.story(of: job))
      #expect(story.attempts.isEmpty)
      #expect(story.history.state.grantedAt == nil)
      #expect(story.history.state.worker == nil)
    },
    Rule("the last ten attempts are kept") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      let job = fixture.job(0)
      _ = try await fixture.commit(.submit([job]))
      for attempt in 1...13 as ClosedRange<UInt16> {
        let lease = fixture.lease(UInt64(attempt), attempt: attempt)
        let cause = Failure(.timeout, at: .body, "attempt \(attempt)")
        _ = try await fixture.commit([
          .grant(job.id, lease, to: fixture.worker),
          .retry(job.id, lease.token, at: fixture.now, cause: cause), .becameDue(job.id),
        ])
      }
      let story = try #require(try await ledger.story(of: job.id))
      #expect(story.attempts.map(\.attempt) == Array(4...13))
      #expect(story.attempts.map { $0.failure?.message } == (4...13).map { "attempt \($0)" })
    },
    Rule("the story of a requeued job begins anew") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      let job = try await fixture.leasedJob()
      _ = try await fixture.commit([
        .retry(job, LeaseToken(1), at: fixture.now, cause: Failure(.timeout, at: .body, "slow")),
        fixture.settle(job, under: nil, .dead, failure: .deadline), .requeue(job),
      ])
      let story = try #require(try await ledger.story(of: job))
      #expect(story.attempts.isEmpty)
      #expect(story.history.life == JobLife())
      #expect(story.history.submittedAt == fixture.now)
      #expect(story.history.state.grantedAt == nil)
      #expect(story.history.state.endedAt == nil)
      #expect(story.history.failure == nil)
      #expect(story.row == nil)
    },
    Rule("a late success does not name the worker that had the job then") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      let job = try await fixture.leasedJob()
      _ = try await fixture.commit([
        .crash(job, LeaseToken(1)), .grant(job, fixture.lease(2, attempt: 2), to: fixture.worker),
        fixture.settle(job, under: fixture.lease(1)),
      ])
      let story = try #require(try await ledger.story(of: job))
      #expect(story.history.life.state == .over(.done))
      #expect(story.history.state.worker == nil)
      #expect(story.history.state.grantedAt == nil)
      #expect(story.history.state.endedAt == fixture.now)
    },
    Rule("the oldest job of each open state is known") { ledger async throws in
      let (fixture, jobs) = (LedgerFixture(ledger), LedgerFixture(ledger).jobs(4))
      #expect(try await ledger.oldestJobs() == [:])
      for (index, job) in jobs.enumerated() {
        _ = try await fixture.commit(.submit([job]), after: Int64(index) * 100)
      }
      var later = fixture
      later.batch = LedgerFixture.batch(0)
      _ = try await fixture.commit(.submit([later.job(0)]), after: 900)
      var oldest: [JobPhase: Moment] = [:]
      oldest[.ready] = fixture.moment(0)
      #expect(try await ledger.oldestJobs() == oldest)
      _ = try await fixture.commit([
        .grant(jobs[0].id, fixture.lease(1), to: fixture.worker),
        .grant(jobs[2].id, fixture.lease(2), to: fixture.worker),
        .retry(jobs[2].id, LeaseToken(2), at: fixture.later, cause: Failure(.timeout, at: .body, "slow")),
      ])
      (oldest[.ready], oldest[.leased], oldest[.scheduled]) = (
        fixture.moment(100), fixture.moment(0), fixture.moment(200)
      )
      #expect(try await ledger.oldestJobs() == oldest)
    },
  ]
}

extension LedgerFixture {
  func moment(_ milliseconds: Int64) -> Moment { now.advanced(byMilliseconds: milliseconds) }

  func commit(_ event: LedgerEvent, after milliseconds: Int64) async throws -> LedgerAnswer {
    try await ledger.commit([event], at: moment(milliseconds))[0]
  }
}
