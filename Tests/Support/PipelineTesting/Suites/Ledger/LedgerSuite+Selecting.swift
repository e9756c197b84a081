import Pipeline
import Testing

extension LedgerSuite {
  private typealias Rule = PortRule<any Ledger>

  static let selecting: [PortRule<any Ledger>] = [
    Rule("open jobs are found by what they wait for") { ledger async throws in
      let bench = LedgerBench(ledger)
      let jobs = try await bench.oneInEachState()
      #expect(try await bench.open(.all) == Array(jobs[0...3]))
      #expect(try await bench.open(.ready) == [jobs[0], jobs[3]])
      #expect(try await bench.open(.leased) == [jobs[1]])
      #expect(try await bench.open(.scheduled(dueBy: bench.later)) == [jobs[2]])
      #expect(try await bench.open(.scheduled(dueBy: bench.now)).isEmpty)
      #expect(try await ledger.deadJobs(of: nil, after: nil, limit: 9) == [jobs[4]])
    },
    Rule("a selection follows a job from state to state") { ledger async throws in
      let bench = LedgerBench(ledger)
      let job = try await bench.leasedJob()
      #expect(try await bench.open(.leased) == [job])
      _ = try await bench.commit(.giveBack(job, LeaseToken(1)))
      #expect(try await bench.open(.leased).isEmpty)
      #expect(try await bench.open(.ready) == [job])
      _ = try await bench.commit(.grant(job, bench.lease(2), to: bench.worker))
      #expect(try await bench.open(.ready).isEmpty)
      let cause = Failure(.timeout, at: .body, "slow")
      _ = try await bench.commit([.retry(job, LeaseToken(2), at: bench.now, cause: cause), .becameDue(job)])
      #expect(try await bench.open(.scheduled(dueBy: bench.later)).isEmpty)
      #expect(try await bench.open(.ready) == [job])
      _ = try await bench.commit(bench.settle(job, under: nil))
      #expect(try await bench.open(.ready).isEmpty)
      #expect(try await bench.open(.all).isEmpty)
    },
    Rule("jobs that are not over are found by their ids") { ledger async throws in
      let bench = LedgerBench(ledger)
      let jobs = try await bench.oneInEachState()
      let found = try await ledger.openJobs(jobs.reversed() + [bench.job(99).id])
      let open = try await ledger.openJobs(.all, after: nil, limit: 9)
      let sorted = found.sorted { $0.job.id < $1.job.id }
      #expect(sorted.map(\.job) == open.map(\.job))
      #expect(sorted.map(\.life) == open.map(\.life))
      #expect(try await ledger.openJobs([]).isEmpty)
    },
    Rule("a leased job tells who holds it, and no other does") { ledger async throws in
      let bench = LedgerBench(ledger)
      let job = try await bench.leasedJob()
      let other = WorkerID(UUIDv7(high: 0x7000, low: 1 << 63 | 7))
      #expect(try await ledger.openJobs(.leased, after: nil, limit: 9).map(\.holder) == [bench.worker])
      _ = try await bench.commit([.crash(job, LeaseToken(1))])
      #expect(try await ledger.openJobs(.all, after: nil, limit: 9).map(\.holder) == [nil])
      _ = try await bench.commit(.grant(job, bench.lease(2, attempt: 2), to: other))
      #expect(try await ledger.openJobs(.all, after: nil, limit: 9).map(\.holder) == [other])
    },
    Rule("every selection comes in the order of ids, in pages") { ledger async throws in
      let bench = LedgerBench(ledger)
      var jobs = bench.jobs(100)
      // Against the order of ids, so that no order in time can pass for it.
      for index in jobs.indices { jobs[index].deadline = bench.now.advanced(byMilliseconds: -Int64(index)) }
      _ = try await bench.commit(.submit(jobs.shuffled()))
      for selection in [.all, .of(bench.batch), .ready, .overdue(at: bench.now)] as [JobSelection] {
        #expect(try await bench.pages(of: selection, limit: 7) == jobs.map(\.id), "\(selection)")
      }
      let cause = Failure(.timeout, at: .body, "slow")
      _ = try await bench.commit(
        jobs.enumerated().flatMap { index, job -> [LedgerEvent] in
          let lease = bench.lease(UInt64(index) + 1)
          let due = bench.now.advanced(byMilliseconds: -Int64(index))
          return [
            .grant(job.id, lease, to: bench.worker),
            index < 50
              ? bench.settle(job.id, under: lease, .dead, failure: .tls)
              : .retry(job.id, lease.token, at: due, cause: cause),
          ]
        })
      let scheduled = try await bench.pages(of: .scheduled(dueBy: bench.now), limit: 7)
      #expect(scheduled == jobs[50...].map(\.id))
      #expect(try await bench.deadPages(limit: 7) == jobs[..<50].map(\.id))
    },
    Rule("a batch's jobs are its own") { ledger async throws in
      let bench = LedgerBench(ledger)
      var other = bench
      other.batch = LedgerBench.batch(2)
      _ = try await bench.commit([.submit(bench.jobs(3)), .submit(other.jobs(3))])
      _ = try await bench.commit([
        bench.settle(bench.job(2).id, under: nil, .dead, failure: .tls),
        bench.settle(other.job(0).id, under: nil, .dead, failure: .tls),
        bench.settle(other.job(1).id, under: nil, .cancelled, failure: .cancelled),
      ])
      #expect(try await bench.open(.of(bench.batch)) == bench.jobs(2).map(\.id))
      #expect(try await bench.open(.of(other.batch)) == [other.job(2).id])
      // A cursor before the batch starts it, and one behind it ends it.
      let first = bench.job(0).id
      let behind = other.job(9).id
      #expect(try await ledger.openJobs(.of(other.batch), after: first, limit: 9).count == 1)
      #expect(try await ledger.openJobs(.of(bench.batch), after: behind, limit: 9).isEmpty)
      #expect(try await ledger.deadJobs(of: bench.batch, after: nil, limit: 9) == [bench.job(2).id])
      #expect(try await ledger.deadJobs(of: other.batch, after: first, limit: 9) == [other.job(0).id])
      #expect(try await ledger.deadJobs(of: bench.batch, after: behind, limit: 9).isEmpty)
      #expect(try await ledger.deadJobs(of: LedgerBench.batch(3), after: nil, limit: 9).isEmpty)
      #expect(try await ledger.deadJobs(of: nil, after: bench.job(2).id, limit: 9) == [other.job(0).id])
    },
    Rule("a job is overdue in any open state, from its deadline on") { ledger async throws in
      let bench = LedgerBench(ledger)
      var jobs = bench.jobs(4)
      for index in 0..<3 { jobs[index].deadline = bench.later }
      _ = try await bench.commit([
        .submit(jobs), .grant(jobs[1].id, bench.lease(1), to: bench.worker),
        bench.settle(jobs[2].id, under: nil),
      ])
      #expect(try await bench.open(.overdue(at: bench.later)) == [jobs[0].id, jobs[1].id])
      #expect(try await bench.open(.overdue(at: bench.later.advanced(byMilliseconds: -1))).isEmpty)
    },
  ]
}

extension LedgerBench {
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

  func open(_ which: JobSelection) async throws -> [JobID] {
    try await ledger.openJobs(which, after: nil, limit: .max).map(\.job.id)
  }

  func pages(of which: JobSelection, limit: Int) async throws -> [JobID] {
    var read: [JobID] = []
    while case let page = try await ledger.openJobs(which, after: read.last, limit: limit), !page.isEmpty {
      #expect(page.count <= limit)
      read += page.map(\.job.id)
    }
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
