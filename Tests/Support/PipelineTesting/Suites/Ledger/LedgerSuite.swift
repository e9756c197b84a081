package import Pipeline
import Testing

/// What every ledger keeps.
package enum LedgerSuite {
  package static let rules: [PortRule<any Ledger>] = rulesOfJobs + stories + searching

  /// All but what is told of jobs later.
  package static let rulesOfJobs: [PortRule<any Ledger>] =
    submitting + leasing + settling + rows + reading + ready + selecting + requeueing + runs + upkeep
    + batches + sharing + care + ownership
}

extension LedgerSuite {
  private typealias Rule = PortRule<any Ledger>

  private static let submitting: [PortRule<any Ledger>] = [
    Rule("a job submitted twice is inserted once") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      let jobs = fixture.jobs(3)
      #expect(try await fixture.commit(.submit(jobs)) == .inserted(3))
      #expect(try await fixture.commit(.submit(jobs)) == .inserted(0))
      #expect(try await fixture.commit(.submit(fixture.jobs(5))) == .inserted(2))
      #expect(try await fixture.commit(.submit([])) == .inserted(0))
      #expect(try await ledger.openJobs().map(\.job) == fixture.jobs(5))
    },
    Rule("a submission with jobs that ask for something else than those that are there changes nothing") {
      ledger async throws in
      let fixture = LedgerFixture(ledger)
      _ = try await fixture.commit([.submit(fixture.jobs(5)), fixture.settle(fixture.job(3).id, under: nil)])
      var jobs = fixture.jobs(6)
      jobs[1].ref = "only a name"
      jobs[2].input = "http://other.test/"
      jobs[3].kind = .unfurl
      jobs[4].reading.select = "/a"
      jobs[0].reading.require = ["/a:any"]
      let first = DifferingJobs(count: 4, first: 0)
      #expect(try await fixture.commit(.submit(jobs)) == .inserted(0, differing: first))
      #expect(try await fixture.commit(.submit(fixture.jobs(5))) == .inserted(0))
      #expect(try await ledger.openJobs().count == 4)
      #expect(try await ledger.summary(batches: 0).jobs.open == 4)
      #expect(try await ledger.page(JobQuery(.ready, limit: 1)).items.map(\.job) == fixture.jobs(1))
    },
    Rule("a batch is never closed with fewer jobs than it has") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      try await fixture.finish(2)
      _ = try await fixture.commit([.submit([fixture.job(2)]), .close(fixture.batch, total: 3)])
      #expect(try await fixture.commit(.close(fixture.batch, total: 1)) == .stale)
      #expect(try await ledger.progress(of: fixture.batch)?.total == 3)
      _ = try await fixture.commit(.submit(fixture.jobs(5)))
      #expect(try await ledger.progress(of: fixture.batch)?.total == 5)
      _ = try await fixture.commit(.close(fixture.batch, total: 9))
      #expect(try await ledger.progress(of: fixture.batch)?.total == 9)
    },
    Rule("a job that stands twice in one submission is inserted once") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      #expect(
        try await fixture.commit(.submit([fixture.job(0), fixture.job(1), fixture.job(0)])) == .inserted(2))
    },
    Rule("submitting again does not disturb a job under way") { ledger in
      let fixture = LedgerFixture(ledger)
      let job = try await fixture.leasedJob()
      #expect(try await fixture.commit(.submit([fixture.job(0)])) == .inserted(0))
      #expect(try await fixture.life(of: job)?.state == .leased(LeaseToken(1)))
    },
    Rule("a finished job is not run again before its row is confirmed") { ledger in
      let fixture = LedgerFixture(ledger)
      try await fixture.finish(1)
      #expect(try await fixture.commit(.submit(fixture.jobs(1))) == .inserted(0))
      #expect(try await ledger.openJobs().isEmpty)
      #expect(try await fixture.rows().count == 1)
    },
    Rule("a job comes back as it was submitted") { ledger in
      let fixture = LedgerFixture(ledger)
      var full = fixture.job(7)
      full.ref = "Schlüssel\u{0}"
      full.kept = [KeptColumn("", ""), KeptColumn("Stadt", "Zürich 東京 👩‍👩‍👧")]
      full.reading = Reading(select: "$..*", require: ["/a:any", "Ü\u{0}"], unwraps: true)
      full.deadline = Moment(unixMilliseconds: 5)
      full.refusal = Failure(.dns, at: .dns, "no such host", retryable: true, retryAfterMilliseconds: 9)
      var bare = fixture.job(8)
      bare.input = nil
      _ = try await fixture.commit(.submit([full, bare]))
      #expect(try await ledger.openJobs().map(\.job) == [full, bare])
    },
    Rule("changes of one commit see each other: what comes in, then jobs, then batches") { ledger in
      let fixture = LedgerFixture(ledger)
      let job = fixture.job(0)
      let answers = try await fixture.commit([
        .confirmRows(fixture.batch, upTo: 1), .grant(job.id, fixture.lease(1), to: fixture.worker),
        .grant(job.id, fixture.lease(2), to: fixture.worker), fixture.settle(job.id, under: fixture.lease(1)),
        fixture.settle(job.id, under: fixture.lease(1)), .submit([job]), .close(fixture.batch, total: 1),
      ])
      #expect(answers == [.applied, .applied, .stale, .applied, .stale, .inserted(1), .applied])
      #expect(try await ledger.progress(of: fixture.batch)?.isComplete == true)
      #expect(try await fixture.commit([]) == [])
    },
  ]
}
