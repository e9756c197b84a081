import Pipeline
import Testing

extension LedgerSuite {
  private typealias Rule = PortRule<any Ledger>

  static let selecting: [PortRule<any Ledger>] = [
    Rule("open jobs are found by what they wait for") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      let jobs = try await fixture.oneInEachState()
      #expect(try await ledger.openJobs().map(\.id) == Array(jobs[0...3]))
      #expect(try await fixture.open(.ready) == [jobs[0], jobs[3]])
      #expect(try await fixture.open(.leased) == [jobs[1]])
      #expect(try await fixture.open(.due(by: fixture.later)) == [jobs[2]])
      #expect(try await fixture.open(.due(by: fixture.now)).isEmpty)
      #expect(try await ledger.deadJobs(of: nil, after: nil, limit: 9) == [jobs[4]])
    },
    Rule("a selection follows a job from state to state") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      let job = try await fixture.leasedJob()
      #expect(try await fixture.open(.leased) == [job])
      _ = try await fixture.commit(.giveBack(job, LeaseToken(1)))
      #expect(try await fixture.open(.leased).isEmpty)
      #expect(try await fixture.open(.ready) == [job])
      _ = try await fixture.commit(.grant(job, fixture.lease(2), to: fixture.worker))
      #expect(try await fixture.open(.ready).isEmpty)
      let cause = Failure(.timeout, at: .body, "slow")
      _ = try await fixture.commit([
        .retry(job, LeaseToken(2), at: fixture.now, cause: cause), .becameDue(job),
      ])
      #expect(try await fixture.open(.due(by: fixture.later)).isEmpty)
      #expect(try await fixture.open(.ready) == [job])
      _ = try await fixture.commit(fixture.settle(job, under: nil))
      #expect(try await fixture.open(.ready).isEmpty)
      #expect(try await fixture.open(.of(fixture.batch)).isEmpty)
    },
    Rule("jobs that are not over are found by their ids") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      let jobs = try await fixture.oneInEachState()
      let ids = JobQuery.What.ids(jobs.reversed() + [fixture.job(99).id])
      let found = try await ledger.page(JobQuery(ids)).items
      let open = try await ledger.openJobs()
      let sorted = found.sorted { $0.job.id < $1.job.id }
      #expect(sorted.map(\.job) == open.map(\.job))
      #expect(sorted.map(\.life) == open.map(\.life))
      #expect(try await ledger.page(JobQuery(.ids([]))).items.isEmpty)
    },
    Rule("a leased job tells who holds it, and no other does") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      let job = try await fixture.leasedJob()
      let other = WorkerID(UUIDv7(high: 0x7000, low: 1 << 63 | 7))
      #expect(try await ledger.page(JobQuery(.leased)).items.map(\.state.worker) == [fixture.worker])
      _ = try await fixture.commit([.crash(job, LeaseToken(1))])
      #expect(try await ledger.openJobs().map(\.state.worker) == [nil])
      _ = try await fixture.commit(.grant(job, fixture.lease(2, attempt: 2), to: other))
      #expect(try await ledger.openJobs().map(\.state.worker) == [other])
    },
    Rule("every selection comes in the order of ids, in pages") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      var jobs = fixture.jobs(100)
      // Against the order of ids, so that no order in time can pass for it.
      for index in jobs.indices { jobs[index].deadline = fixture.now.advanced(byMilliseconds: -Int64(index)) }
      _ = try await fixture.commit(.submit(jobs.shuffled()))
      for selection in [.of(fixture.batch), .ready, .overdue(at: fixture.now)] as [JobQuery.What] {
        #expect(try await fixture.pages(of: selection, limit: 7) == jobs.map(\.id), "\(selection)")
      }
      let cause = Failure(.timeout, at: .body, "slow")
      _ = try await fixture.commit(
        jobs.enumerated().flatMap { index, job -> [LedgerEvent] in
          let lease = fixture.lease(UInt64(index) + 1)
          let due = fixture.now.advanced(byMilliseconds: -Int64(index))
          return [
            .grant(job.id, lease, to: fixture.worker),
            index < 50
              ? fixture.settle(job.id, under: lease, .dead, failure: .tls)
              : .retry(job.id, lease.token, at: due, cause: cause),
          ]
        })
      let scheduled = try await fixture.pages(of: .due(by: fixture.now), limit: 7)
      #expect(scheduled == jobs[50...].map(\.id))
      #expect(try await fixture.deadPages(limit: 7) == jobs[..<50].map(\.id))
    },
    Rule("a batch's jobs are its own") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      var other = fixture
      other.batch = LedgerFixture.batch(2)
      _ = try await fixture.commit([.submit(fixture.jobs(3)), .submit(other.jobs(3))])
      _ = try await fixture.commit([
        fixture.settle(fixture.job(2).id, under: nil, .dead, failure: .tls),
        other.settle(other.job(0).id, under: nil, .dead, failure: .tls),
        other.settle(other.job(1).id, under: nil, .cancelled, failure: .cancelled),
      ])
      #expect(try await fixture.open(.of(fixture.batch)) == fixture.jobs(2).map(\.id))
      #expect(try await fixture.open(.of(other.batch)) == [other.job(2).id])
      // A cursor before the batch starts it, and one behind it ends it.
      let first = fixture.job(0).id
      let behind = other.job(9).id
      #expect(try await ledger.page(JobQuery(.of(other.batch), after: first)).items.count == 1)
      #expect(try await ledger.page(JobQuery(.of(fixture.batch), after: behind)).items.isEmpty)
      #expect(try await ledger.deadJobs(of: fixture.batch, after: nil, limit: 9) == [fixture.job(2).id])
      #expect(try await ledger.deadJobs(of: other.batch, after: first, limit: 9) == [other.job(0).id])
      #expect(try await ledger.deadJobs(of: fixture.batch, after: behind, limit: 9).isEmpty)
      #expect(try await ledger.deadJobs(of: LedgerFixture.batch(3), after: nil, limit: 9).isEmpty)
      #expect(try await ledger.deadJobs(of: nil, after: fixture.job(2).id, limit: 9) == [other.job(0).id])
    },
    Rule("a job is overdue in any open state, from its deadline on") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      var jobs = fixture.jobs(4)
      for index in 0..<3 { jobs[index].deadline = fixture.later }
      _ = try await fixture.commit([
        .submit(jobs), .grant(jobs[1].id, fixture.lease(1), to: fixture.worker),
        fixture.settle(jobs[2].id, under: nil),
      ])
      #expect(try await fixture.open(.overdue(at: fixture.later)) == [jobs[0].id, jobs[1].id])
      #expect(try await fixture.open(.overdue(at: fixture.later.advanced(byMilliseconds: -1))).isEmpty)
    },
  ]
}

extension LedgerFixture {
  var later: Moment { now.advanced(byMilliseconds: 5_000) }

  /// In the order of their ids: ready, leased, scheduled for `later`, ready after a crash, dead, done, cancelled.
  func oneInEachState() async throws -> [JobID] {
    let jobs = jobs(7).map(\.id)
    let answers = try await commit([
      .submit(self.jobs(7)), .grant(jobs[1], lease(1), to: worker), .grant(jobs[2], lease(2), to: worker),
      .retry(jobs[2], LeaseToken(2), at: later, cause: Failure(.timeout, at: .body, "slow")),
      .grant(jobs[3], lease(3), to: worker), .crash(jobs[3], LeaseToken(3)),
      settle(jobs[4], under: nil, .dead, failure: .tls), settle(jobs[5], under: nil),
      settle(jobs[6], under: nil, .cancelled, failure: .cancelled),
    ])
    try #require(answers.dropFirst().allSatisfy { $0 == .applied })
    return jobs
  }

  func open(_ which: JobQuery.What) async throws -> [JobID] {
    try await ledger.page(JobQuery(which)).items.map(\.id)
  }

  func pages(of which: JobQuery.What, limit: Int) async throws -> [JobID] {
    var read: [JobID] = []
    var query = JobQuery(which, limit: limit)
    repeat {
      let page = try await ledger.page(query)
      #expect(page.items.count <= limit)
      read += page.items.map(\.id)
      query.after = page.next
    } while query.after != nil
    return read
  }

  func deadPages(limit: Int) async throws -> [JobID] {
    var read: [JobID] = []
    while case let page = try await ledger.deadJobs(of: nil, after: read.last, limit: limit), !page.isEmpty {
      #expect(page.count <= limit)
      read += page
    }
    return read
  }
}
